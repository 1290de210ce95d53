import type { Deps } from '../deps.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import type { Store } from '../store/store.ts';
import { wait } from '../wait.ts';

/**
 * Calls wait at most this long until their region has all its monitors. It is shorter than `answerMs` of a probe
 * (probe/link.ts), and leaves time for the rest of the call.
 */
const maxWaitMs = 3000;

/**
 * Gives a region the monitors that name no regions, if the region is new or was retired. Resolves with whether the
 * region has all of them. If the work takes longer than `maxWaitMs`, it continues after this answer.
 */
export type SharedJoins = (region: number, name: string) => Promise<boolean>;

/**
 * Creates a function that gives regions their monitors. With many monitors this work takes so long that probes give up
 * and call again. So all calls for a region share the work that this process has begun.
 */
export function createSharedJoins(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { store, observingSince, stopping }: { store: Store; observingSince: () => number; stopping: AbortSignal },
): SharedJoins {
  const underWay = new Map<number, Promise<boolean>>();

  const begin = async (region: number, name: string) => {
    const ended = new AbortController();
    let isAnswered = false;
    // `observingSince` throws while the daemon starts or moves its data. In an async function, this error rejects
    // `work`, so `finally` removes the entry in `underWay`.
    const joined = async () => joinRegion(store, name, clock.now(), { observingSince: observingSince(), clock });
    const work = joined()
      .then(() => true)
      .catch((error: unknown) => {
        // The next call begins the work again, also after a restart.
        if (!isAnswered) throw error;
        if (!stopping.aborted) log.warn({ err: error, region: name }, 'the region did not get all its monitors yet');
        return false;
      })
      .finally(() => {
        underWay.delete(region);
        ended.abort();
      });
    const tooLong = wait(clock, maxWaitMs, AbortSignal.any([stopping, ended.signal])).then(() => {
      isAnswered = true;
      return ended.signal.aborted ? work : false;
    });
    return Promise.race([work, tooLong]);
  };

  return (region, name) => {
    const shared = underWay.get(region) ?? begin(region, name);
    underWay.set(region, shared);
    return shared;
  };
}
