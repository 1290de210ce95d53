import { ServiceError } from '../errors.ts';
import type { CheckSlots } from './check-slots.ts';

/** Maximum number of requested checks of one project that run at once. */
export const maxRequestedAtOnce = 10;

/**
 * Creates the function that counts the requested checks of each project. Call that function with the project when a
 * requested check begins. It returns a second function, which you call when the check ends. Beyond a limit, the first
 * function throws `rate_limited` with the seconds to wait.
 */
export function createRequestLimit(slots: Pick<CheckSlots, 'mayBegin' | 'inFlight'>): (project: string) => () => void {
  const underWay = new Map<string, number>();
  const refuse = (why: string, retryAfter: number) => {
    throw new ServiceError('rate_limited', `${why} Try again in ${retryAfter} s.`, { retryAfterSeconds: retryAfter });
  };

  return (project) => {
    const own = underWay.get(project) ?? 0;
    if (own >= maxRequestedAtOnce)
      refuse(`This project has asked for ${own} checks that still run; the limit is ${maxRequestedAtOnce}.`, 1);
    if (slots.mayBegin(project) < 1)
      refuse(`This project has ${slots.inFlight(project)} running checks, which is its share of this server.`, 5);
    underWay.set(project, own + 1);
    return () => {
      const left = (underWay.get(project) ?? 1) - 1;
      if (left === 0) underWay.delete(project);
      else underWay.set(project, left);
    };
  };
}
