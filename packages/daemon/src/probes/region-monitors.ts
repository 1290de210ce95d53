import type { Versions } from '../core/version-buckets.ts';
import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import { wait } from '../wait.ts';
import { isServedByDaemon, liveProbes } from './known-probes.ts';
import { createRegionShares } from './region-shares.ts';

/** Finds out which probe checks which monitors of a region now. All sync calls of the region share one such object. */
export interface RegionMonitors {
  /**
   * Returns the monitors of a probe: the same map object until one of these monitors changes, or the probe gets or
   * loses a monitor. If the probe is new, waits until the region may be read again, or until `signal` is aborted.
   */
  of(probe: string, known: { isLeaving: boolean; signal: AbortSignal }): Promise<Versions>;
  /**
   * Resolves with whether the monitors were read after `monoMs`, a monotonic time. Waits for such a read until
   * `untilMonoMs`.
   */
  wereReadAfter(monoMs: number, untilMonoMs: number, signal: AbortSignal): Promise<boolean>;
}

/** Time between two reads of the region's monitors. An edit reaches a probe up to this much later. */
export const lookAfterMs = 500;
/**
 * Waiting sync calls ask every `lookAfterMs`, but their timers may fire a little early. So a read may begin this much
 * sooner. Otherwise a call whose timer fired early would get the old map, and would wait for another `lookAfterMs`.
 */
const dueEarlierMs = 50;
/**
 * Reading takes about this fraction of the time, so a large region is read less often. But `maxRestMs` limits the time
 * between two reads.
 */
const shareOfTime = 0.05;
/**
 * The longest rest between two reads is this time, or `maxRestMsPerMonitor` times the number of monitors. The longer of
 * the two counts. So an edit reaches a probe within 2 s in a region of up to 10,000 monitors, even if the database is
 * slow.
 */
const maxRestMs = 1000;
const maxRestMsPerMonitor = 0.03;
/** A read may have begun shortly before a new probe joined. Then a second read finds the probe. */
const readsForNewProbe = 2;

const nothing: Versions = new Map();

export function createRegionMonitors(store: Store, clock: Clock, region: number): RegionMonitors {
  const shares = createRegionShares(store, clock, region);
  let isServed = false;
  let resting: readonly string[] = [];
  let nextLookMonoMs = -Infinity;
  /** A read before this time would exceed `shareOfTime`. */
  let restUntilMonoMs = -Infinity;
  /** When the read that made the present maps began. */
  let readBegunMonoMs = -Infinity;
  let looking: Promise<void> | null = null;

  const look = async () => {
    const begunMonoMs = clock.monotonicMs();
    const now = clock.now();
    isServed = await isServedByDaemon(store.db, region, now);
    const live = isServed ? { checking: [], resting: [] } : await liveProbes(store.db, region, now);
    resting = live.resting;
    const { workedMs, monitorCount } = await shares.read(live.checking);
    readBegunMonoMs = begunMonoMs;
    const endedMonoMs = clock.monotonicMs();
    const maxMs = Math.max(maxRestMs, monitorCount * maxRestMsPerMonitor);
    restUntilMonoMs = endedMonoMs + Math.min(workedMs / shareOfTime, maxMs);
    nextLookMonoMs = Math.max(restUntilMonoMs, endedMonoMs + lookAfterMs - dueEarlierMs);
  };

  const read = async () => {
    looking ??= look().finally(() => (looking = null));
    await looking;
  };

  return {
    async of(probe, { isLeaving, signal }) {
      if (clock.monotonicMs() >= nextLookMonoMs) await read();
      // While a daemon serves the region, no probe gets monitors. A leaving or resting probe gets none either.
      const isNew = () => !isServed && !isLeaving && !resting.includes(probe) && shares.of(probe) === undefined;
      for (let reads = 0; reads < readsForNewProbe && isNew() && !signal.aborted; reads++) {
        const restMs = restUntilMonoMs - clock.monotonicMs();
        if (restMs > 0) await wait(clock, restMs, signal);
        if (isNew()) await read();
      }
      return shares.of(probe) ?? nothing;
    },
    async wereReadAfter(monoMs, untilMonoMs, signal) {
      const isFresh = () => readBegunMonoMs >= monoMs;
      while (!isFresh() && !signal.aborted) {
        // Waits until the next read is due, so that a probe with wrong digests does not cause more reads.
        if (nextLookMonoMs > untilMonoMs) return false;
        await wait(clock, Math.max(0, nextLookMonoMs - clock.monotonicMs()), signal);
        await read();
      }
      return isFresh();
    },
  };
}
