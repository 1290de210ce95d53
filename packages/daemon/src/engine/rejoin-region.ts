import type { Clock, Deps } from '../deps.ts';
import { joinRegion } from '../lifecycle/join-region.ts';
import type { Store } from '../store/store.ts';

export interface RejoinRegion {
  /** Begins to give the region its monitors again, unless that has begun already. */
  begin(name: string): void;
  /** Resolves when the work that `begin` started has ended. */
  settled(): Promise<void>;
}

/**
 * Creates the object that gives a region its monitors again. That is needed if the operator retired the region while
 * its daemon could not report. With many monitors this work takes long, so signs of life do not wait for its end.
 */
export function createRejoinRegion(
  { clock, log }: Pick<Deps, 'log'> & { clock: Clock },
  store: Store,
  observingSince: () => number,
): RejoinRegion {
  let underWay: Promise<void> | null = null;

  const rejoin = async (name: string) => {
    try {
      await joinRegion(store, name, clock.now(), { observingSince: observingSince(), clock });
      log.info({ region: name }, 'the retired region has its monitors again');
    } catch (error) {
      log.warn(
        { err: error, region: name },
        'the retired region did not get all its monitors back; the daemon retries at its next sign of life',
      );
    } finally {
      underWay = null;
    }
  };

  return {
    begin(name) {
      underWay ??= rejoin(name);
    },
    settled: async () => {
      await underWay;
    },
  };
}
