import { sql } from 'kysely';
import { chooseProbe } from '../core/rendezvous.ts';
import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import { isServedByDaemon, liveProbes } from './known-probes.ts';

/** The monitors of one probe, each with a text that changes with every edit. */
export type Versions = ReadonlyMap<number, string>;

/** Which probe checks which monitors of a region now. All syncs of the region share it. */
export interface RegionMonitors {
  /** Returns the same map until something changes. */
  of(probe: string): Promise<Versions>;
}

/** Time between two reads of the region's monitors. An edit reaches a probe up to this much later. */
export const lookAfterMs = 500;
/**
 * Waiting syncs ask again every `lookAfterMs`. The next read is due this much earlier. Otherwise a sync whose timer
 * fires a little early would get the old map, and would wait as long again.
 */
const dueEarlierMs = 50;
/** Reads take at most this fraction of the time. So if a region has very many monitors, they are read less often. */
const shareOfTime = 0.05;

const nothing: Versions = new Map();

export function createRegionMonitors(store: Store, clock: Clock, region: number): RegionMonitors {
  let byProbe = new Map<string, Map<number, string>>();
  let signature = '';
  let nextLookAt = -Infinity;
  let looking: Promise<void> | null = null;

  /** Returns a text that changes when a monitor is added, edited or removed, and when a probe joins or leaves. */
  const sign = async (probes: readonly string[]) => {
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
  };

  const load = async (probes: readonly string[]) => {
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
      if (probe !== null) loaded.get(probe)!.set(seq, `${generation}.${at}`);
    }
    return loaded;
  };

  const look = async () => {
    const begunMonoMs = clock.monotonicMs();
    const now = clock.now();
    const probes = (await isServedByDaemon(store.db, region, now)) ? [] : await liveProbes(store.db, region, now);
    const signed = await sign(probes);
    if (signed !== signature) {
      byProbe = await load(probes);
      signature = signed;
    }
    const tookMs = clock.monotonicMs() - begunMonoMs;
    nextLookAt = clock.monotonicMs() + Math.max(lookAfterMs - dueEarlierMs, tookMs / shareOfTime);
  };

  return {
    async of(probe) {
      if (clock.monotonicMs() >= nextLookAt || !byProbe.has(probe)) {
        looking ??= look().finally(() => (looking = null));
        await looking;
      }
      return byProbe.get(probe) ?? nothing;
    },
  };
}
