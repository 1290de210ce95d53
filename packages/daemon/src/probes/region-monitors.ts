import { sql } from 'kysely';
import { chooseProbe } from '../core/rendezvous.ts';
import type { Versions } from '../core/version-buckets.ts';
import type { Clock } from '../deps.ts';
import { versionOf } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import { wait } from '../wait.ts';
import { isServedByDaemon, liveProbes } from './known-probes.ts';

/** Finds out which probe checks which monitors of a region now. All sync calls of the region share one such object. */
export interface RegionMonitors {
  /** Returns the monitors of a probe. It is the same map object until a monitor or a probe of the region changes. */
  of(probe: string): Promise<Versions>;
  /** Resolves with whether the monitors were read after `monoMs`, a monotonic time. Waits for that until `untilMonoMs`. */
  wereReadAfter(monoMs: number, untilMonoMs: number, signal: AbortSignal): Promise<boolean>;
}

/** Time between two reads of the region's monitors. An edit reaches a probe up to this much later. */
export const lookAfterMs = 500;
/**
 * Waiting sync calls ask every `lookAfterMs`, and the monitors may be read again this much earlier. Otherwise a call
 * whose timer fires a little early would get the old map, and would wait for another `lookAfterMs`.
 */
const dueEarlierMs = 50;
/**
 * Reading the monitors takes at most this fraction of the time. So the monitors of a very large region are read less
 * often.
 */
const shareOfTime = 0.05;

const nothing: Versions = new Map();

export function createRegionMonitors(store: Store, clock: Clock, region: number): RegionMonitors {
  let byProbe = new Map<string, Map<number, string>>();
  let signature = '';
  let nextLookAt = -Infinity;
  /** When the latest read of the monitors began. */
  let readBegunMonoMs = -Infinity;
  let looking: Promise<void> | null = null;

  const look = async () => {
    const begunMonoMs = clock.monotonicMs();
    readBegunMonoMs = begunMonoMs;
    const now = clock.now();
    const probes = (await isServedByDaemon(store.db, region, now)) ? [] : await liveProbes(store.db, region, now);
    const signed = await sign(store, region, probes);
    if (signed !== signature) {
      byProbe = await load(store, region, probes);
      signature = signed;
    }
    const tookMs = clock.monotonicMs() - begunMonoMs;
    nextLookAt = clock.monotonicMs() + Math.max(lookAfterMs - dueEarlierMs, tookMs / shareOfTime);
  };

  const read = async () => {
    looking ??= look().finally(() => (looking = null));
    await looking;
  };

  return {
    async of(probe) {
      if (clock.monotonicMs() >= nextLookAt || !byProbe.has(probe)) await read();
      return byProbe.get(probe) ?? nothing;
    },
    async wereReadAfter(monoMs, untilMonoMs, signal) {
      const isFresh = () => readBegunMonoMs >= monoMs;
      while (!isFresh() && !signal.aborted) {
        // Waits until the next read is due, so that a probe with wrong digests does not cause more reads.
        if (nextLookAt > untilMonoMs) return false;
        await wait(clock, Math.max(0, nextLookAt - clock.monotonicMs()), signal);
        await read();
      }
      return isFresh();
    },
  };
}

/** Returns a text that changes when a monitor is added, edited or removed, and when a probe joins or leaves. */
async function sign(store: Store, region: number, probes: readonly string[]): Promise<string> {
  const row = await store.db
    .selectFrom('schedule')
    .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
    .where('schedule.region', '=', region)
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('monitor.updated_at').as('latest')])
    .select([
      sql<string>`cast(coalesce(sum(monitor.updated_at % 1000000007), 0) as text)`.as('edits'),
      sql<string>`cast(coalesce(sum(monitor.generation), 0) as text)`.as('generations'),
      sql<string>`cast(coalesce(sum(monitor.seq), 0) as text)`.as('monitors'),
    ])
    .executeTakeFirstOrThrow();
  return JSON.stringify([row, probes]);
}

/** Divides the monitors of a region among its probes. */
async function load(
  store: Store,
  region: number,
  probes: readonly string[],
): Promise<Map<string, Map<number, string>>> {
  const rows = await store.db
    .selectFrom('schedule')
    .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
    .where('schedule.region', '=', region)
    .select(['monitor.seq', 'monitor.generation', 'monitor.updated_at'])
    .orderBy('monitor.seq')
    .execute();
  const loaded = new Map(probes.map((probe) => [probe, new Map<number, string>()]));
  for (const { seq, generation, updated_at: at } of rows) {
    const probe = chooseProbe(seq, probes);
    if (probe !== null) loaded.get(probe)!.set(seq, versionOf({ generation, updatedAt: at }));
  }
  return loaded;
}
