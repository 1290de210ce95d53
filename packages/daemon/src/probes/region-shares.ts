import { sql } from 'kysely';
import { chooseProbe } from '../core/rendezvous.ts';
import type { Versions } from '../core/version-buckets.ts';
import type { Clock } from '../deps.ts';
import { versionOf } from '../probe-protocol.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../wait.ts';

/**
 * How many numbers of monitors one statement covers. On SQLite a statement blocks the event loop, so a large region is
 * read in many turns of the loop.
 */
const numbersAtOnce = 1000;

/** The monitors of a range of numbers. */
interface Range {
  /** Changes when a monitor of the range is added, edited or removed. */
  signature: string;
  /** The monitors of each probe. */
  shares: Map<string, Map<number, string>>;
}

/** Divides the monitors of a region among its probes. */
export interface RegionShares {
  /** Reads what changed since the last call. Returns the processor time that it needed, in milliseconds. */
  read(probes: readonly string[]): Promise<number>;
  /** Returns the monitors of a probe. It is the same map until one of them changes, or a probe comes or goes. */
  of(probe: string): Versions | undefined;
}

export function createRegionShares(store: Store, clock: Pick<Clock, 'monotonicMs'>, region: number): RegionShares {
  let byProbe = new Map<string, Versions>();
  let known: readonly string[] = [];
  const ranges = new Map<number, Range>();
  /** Probes whose maps are out of date. They stay here if a read fails, so that the next read makes their maps. */
  const outdated = new Set<string>();

  const note = (before: Range['shares'], after: Range['shares']) => {
    for (const probe of known) if (!isSame(before.get(probe), after.get(probe))) outdated.add(probe);
  };

  const readRange = async (range: number) => {
    const signature = await sign(store, region, range);
    const before = ranges.get(range);
    if (signature === before?.signature) return;
    const shares = await load(store, { region, range, probes: known });
    note(before?.shares ?? new Map(), shares);
    ranges.set(range, { signature, shares });
  };

  const renew = async (pause: () => Promise<void>) => {
    const made = new Map([...outdated].map((probe) => [probe, new Map<number, string>()]));
    for (const range of [...ranges.keys()].toSorted((one, other) => one - other)) {
      for (const [probe, monitors] of made)
        for (const [monitor, version] of ranges.get(range)!.shares.get(probe) ?? []) monitors.set(monitor, version);
      await pause();
    }
    byProbe = new Map(known.map((probe) => [probe, made.get(probe) ?? byProbe.get(probe)!]));
    outdated.clear();
  };

  return {
    of: (probe) => byProbe.get(probe),
    async read(probes) {
      const turn = startTurns(clock);
      if (probes.join(' ') !== known.join(' ')) {
        known = probes;
        ranges.clear();
        outdated.clear();
        for (const probe of probes) outdated.add(probe);
      }
      // Without probes, for example if a daemon serves the region, no monitor has to be read.
      const { first, last } = probes.length === 0 ? { first: 0, last: -1 } : await rangesOf(store);
      for (let range = first; range <= last; range++) {
        await readRange(range);
        await turn.pause();
      }
      for (const [range, { shares }] of ranges) {
        if (range >= first && range <= last) continue;
        note(shares, new Map());
        ranges.delete(range);
      }
      if (outdated.size > 0 || probes.length === 0) await renew(() => turn.pause());
      return turn.workedMs();
    },
  };
}

/** Measures the time of work between pauses. In a pause, other work of the event loop runs, which is not measured. */
function startTurns(clock: Pick<Clock, 'monotonicMs'>) {
  let workedMs = 0;
  let begunMonoMs = clock.monotonicMs();
  return {
    async pause() {
      workedMs += clock.monotonicMs() - begunMonoMs;
      await nextTurn();
      begunMonoMs = clock.monotonicMs();
    },
    workedMs: () => workedMs + clock.monotonicMs() - begunMonoMs,
  };
}

const isSame = (one: Versions = new Map(), other: Versions = new Map()): boolean =>
  one.size === other.size && [...one].every(([monitor, version]) => other.get(monitor) === version);

/** Returns the first and the last range that has monitors. */
async function rangesOf({ db }: Store): Promise<{ first: number; last: number }> {
  const ends = (['asc', 'desc'] as const).map((order) =>
    db.selectFrom('schedule').select('monitor').orderBy('monitor', order).limit(1).executeTakeFirst(),
  );
  const [first = 0, last = 0] = (await Promise.all(ends)).map((row) => Math.floor((row?.monitor ?? 0) / numbersAtOnce));
  return { first, last };
}

const monitorsIn = ({ db }: Store, region: number, range: number) =>
  db
    .selectFrom('schedule')
    .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
    .where('schedule.monitor', '>=', range * numbersAtOnce)
    .where('schedule.monitor', '<', (range + 1) * numbersAtOnce)
    // The plus sign keeps SQLite from using the index on the region. With that index, each statement would read the
    // whole region.
    .where(sql<number>`+schedule.region`, '=', region);

async function sign(store: Store, region: number, range: number): Promise<string> {
  const row = await monitorsIn(store, region, range)
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('monitor.updated_at').as('latest')])
    .select([
      sql<string>`cast(coalesce(sum(monitor.updated_at % 1000000007), 0) as text)`.as('edits'),
      sql<string>`cast(coalesce(sum(monitor.generation), 0) as text)`.as('generations'),
      sql<string>`cast(coalesce(sum(monitor.seq), 0) as text)`.as('monitors'),
    ])
    .executeTakeFirstOrThrow();
  return JSON.stringify(row);
}

async function load(
  store: Store,
  { region, range, probes }: { region: number; range: number; probes: readonly string[] },
): Promise<Range['shares']> {
  const rows = await monitorsIn(store, region, range)
    .select(['monitor.seq', 'monitor.generation', 'monitor.updated_at'])
    .orderBy('schedule.monitor')
    .execute();
  const shares = new Map(probes.map((probe) => [probe, new Map<number, string>()]));
  for (const { seq, generation, updated_at: updatedAt } of rows) {
    const probe = chooseProbe(seq, probes);
    if (probe !== null) shares.get(probe)!.set(seq, versionOf({ generation, updatedAt }));
  }
  return shares;
}
