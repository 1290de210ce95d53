import type { Clock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import type { CheckSlots } from './check-slots.ts';

/** Maximum number of requested checks of one project that run at once. */
export const requestedAtOnce = 10;
/**
 * Maximum number of checks that one project may request in a minute. After a minute without requests, it may request
 * this many at once.
 */
export const requestedPerMinute = 60;
/**
 * If more projects than this are remembered, projects that may again request the full number of checks are forgotten.
 */
const remembered = 10_000;

export interface RequestLimitOptions {
  clock: Clock;
  slots: Pick<CheckSlots, 'mayBegin' | 'inFlight'>;
  /** Whether the number of requested checks per minute is limited. */
  byMinute: boolean;
}

/**
 * Creates the function that counts the checks which users of a project request. Call it with the project when such a
 * check begins. Call the function that it returns when the check ends. Beyond a limit, it throws `rate_limited` with
 * the seconds to wait.
 */
export function createRequestLimit({ clock, slots, byMinute }: RequestLimitOptions): (project: string) => () => void {
  const underWay = new Map<string, number>();
  const spent = new Map<string, { count: number; at: number }>();
  const msEach = 60_000 / requestedPerMinute;
  const spentNow = (project: string): number => {
    const { count, at } = spent.get(project) ?? { count: 0, at: 0 };
    return Math.max(0, count - (clock.monotonicMs() - at) / msEach);
  };
  const refuse = (why: string, retryAfter: number) => {
    throw new ServiceError('rate_limited', `${why} Try again in ${retryAfter} s.`, { retryAfterSeconds: retryAfter });
  };

  return (project) => {
    const own = underWay.get(project) ?? 0;
    if (own >= requestedAtOnce)
      refuse(`This project has asked for ${own} checks that still run; the limit is ${requestedAtOnce}.`, 1);
    if (slots.mayBegin(project) < 1)
      refuse(`This project has ${slots.inFlight(project)} running checks, which is its share of this server.`, 5);
    if (byMinute) {
      const count = spentNow(project) + 1;
      if (count > requestedPerMinute)
        refuse(
          `This project has asked for ${Math.floor(count - 1)} checks within a minute; the limit is ${requestedPerMinute}.`,
          Math.ceil(((count - requestedPerMinute) * msEach) / 1000),
        );
      spent.set(project, { count, at: clock.monotonicMs() });
      if (spent.size > remembered) for (const one of spent.keys()) if (spentNow(one) === 0) spent.delete(one);
    }
    underWay.set(project, own + 1);
    return () => {
      const left = (underWay.get(project) ?? 1) - 1;
      if (left === 0) underWay.delete(project);
      else underWay.set(project, left);
    };
  };
}
