import type { Transaction } from 'kysely';
import type { Absences } from '../core/absence.ts';
import { unobservedSince } from '../core/late-time.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { storedState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import type { QuietChecks } from './quiet-checks.ts';

/**
 * The regions that report nothing at present, and the facts that decide which of their monitors count as not observed.
 * Times are epoch milliseconds.
 */
export interface Silence {
  regions: readonly number[];
  now: number;
  /** The latest absences: see core/absence.ts. */
  absences: Absences;
  quiet: Pick<QuietChecks, 'withTimes'>;
}

/**
 * Marks monitors as not observed if only these regions check them, and if their last result is older than three
 * intervals. The mark is `unobserved_since`, set to three intervals after the last result. The status stays. The next
 * result removes the mark.
 */
export async function noteUnobserved(store: Store, silence: Silence): Promise<void> {
  for await (const range of monitorRanges(store.db)) {
    // Usually no monitor has to be marked, and then no transaction is necessary.
    const candidates = await findCandidates(store.db, range, silence);
    const paces = await readPaces(store.db, [...candidates.keys()]);
    const unobserved = findUnobserved(candidates, paces, silence).map(({ monitor }) => monitor);
    if (unobserved.length === 0) continue;
    await store.write(async (trx) => {
      const locked = await findCandidates(trx, range, silence, { among: unobserved, lock: store.dialect.forUpdate });
      const current = await keepCurrent(trx, paces, unobserved);
      await mark(store, trx, findUnobserved(locked, current, silence));
    }, notDurable);
  }
}

const notDurable = { durable: false };

type Db = Pick<Transaction<Tables>, 'selectFrom'>;

/** Returns the states of monitors that only silent regions check, and that are not marked yet. */
async function findCandidates(
  db: Db,
  { first, last }: MonitorRange,
  { regions, quiet }: Silence,
  within?: { among: readonly number[]; lock: Store['dialect']['forUpdate'] },
): Promise<Map<number, MonitorState>> {
  const checkedFrom = (operator: 'in' | 'not in') =>
    db
      .selectFrom('schedule')
      .select('schedule.monitor')
      .where('schedule.monitor', '>=', first)
      .where('schedule.monitor', '<=', last)
      .where('schedule.region', operator, regions);
  let query = db
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('status', 'in', ['up', 'down'])
    .where('unobserved_since', 'is', null)
    .where('monitor', 'in', checkedFrom('in'))
    .where('monitor', 'not in', checkedFrom('not in'))
    .orderBy('monitor');
  if (within) query = query.where('monitor', 'in', within.among).modifyEnd(within.lock);
  const rows = await query.execute();
  return new Map(rows.map((row) => [row.monitor, quiet.withTimes(row.monitor, storedState(row))]));
}

/** The interval of a monitor, and the generation that has this interval. */
interface Pace {
  generation: number;
  intervalMs: number;
}

async function readPaces(db: Db, monitors: readonly number[]): Promise<Map<number, Pace>> {
  const paces = new Map<number, Pace>();
  if (monitors.length === 0) return paces;
  const rows = await db
    .selectFrom('monitor')
    .select(['seq', 'type', 'key', 'name', 'generation', 'bytes'])
    .where('seq', 'in', monitors)
    .execute();
  await eachConfig(db, rows, (row) => {
    paces.set(row.seq, { generation: row.generation, intervalMs: storedFields(row).interval * 1000 });
  });
  return paces;
}

/**
 * Returns the paces of the monitors that were not edited after `readPaces` read them. Call this function after the
 * states of the monitors are locked. It reads only generations, so that the transaction is short even if the monitors
 * are large. The next call of `noteUnobserved` marks the edited monitors.
 */
async function keepCurrent(
  trx: Db,
  paces: ReadonlyMap<number, Pace>,
  monitors: readonly number[],
): Promise<Map<number, Pace>> {
  const rows = await trx.selectFrom('monitor').select(['seq', 'generation']).where('seq', 'in', monitors).execute();
  return new Map(
    rows.flatMap(({ seq, generation }) => {
      const pace = paces.get(seq);
      return pace?.generation === generation ? [[seq, pace]] : [];
    }),
  );
}

interface Unobserved {
  monitor: number;
  since: number;
}

function findUnobserved(
  candidates: ReadonlyMap<number, MonitorState>,
  paces: ReadonlyMap<number, Pace>,
  { now, absences }: Silence,
): Unobserved[] {
  return [...candidates].flatMap(([monitor, state]) => {
    const pace = paces.get(monitor);
    if (!pace) return [];
    const since = unobservedSince(state, pace.intervalMs, absences);
    return since <= now ? [{ monitor, since }] : [];
  });
}

async function mark(store: Store, trx: Transaction<Tables>, unobserved: readonly Unobserved[]): Promise<void> {
  if (unobserved.length === 0) return;
  const given = store.dialect.rows('given', { monitor: 'long', since: 'long' }, unobserved);
  await trx
    .updateTable('monitor_state')
    .from(given)
    .set((set) => ({ unobserved_since: set.ref('given.since') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
}
