import type { Transaction } from 'kysely';
import type { Absences } from '../core/absence.ts';
import { unobservedSince } from '../core/late-time.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { storedState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import { monitorsOfRegion } from '../stored-monitors/monitor-ranges.ts';
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
 * result removes the mark. Resolves with whether a later call may have to mark more monitors that only these regions
 * check.
 */
export async function noteUnobserved(store: Store, silence: Silence): Promise<boolean> {
  let isMore = false;
  for (const region of silence.regions) {
    for await (const monitors of monitorsOfRegion(store.db, region)) {
      // Usually no monitor has to be marked, and then no transaction is necessary.
      const candidates = await findCandidates(store, store.db, monitors, silence);
      const paces = await readPaces(store.db, [...candidates.keys()]);
      const unobserved = findUnobserved(candidates, paces, silence).map(({ monitor }) => monitor);
      if (unobserved.length < candidates.size) isMore = true;
      if (unobserved.length === 0) continue;
      await store.write(async (trx) => {
        const locked = await findCandidates(store, trx, unobserved, { ...silence, locks: true });
        const current = await keepCurrent(trx, paces, unobserved);
        const marked = findUnobserved(locked, current, silence);
        if (marked.length < unobserved.length) isMore = true;
        await mark(store, trx, marked);
      }, notDurable);
    }
  }
  return isMore;
}

const notDurable = { durable: false };

type Db = Pick<Transaction<Tables>, 'selectFrom'>;

/** Returns the states of those monitors that only silent regions check, and that are not marked yet. */
async function findCandidates(
  { dialect }: Pick<Store, 'dialect'>,
  db: Db,
  monitors: readonly number[],
  { regions, quiet, locks = false }: Pick<Silence, 'regions' | 'quiet'> & { locks?: boolean },
): Promise<Map<number, MonitorState>> {
  const given = dialect.encodeNumbers(monitors);
  const checkedFrom = (operator: 'in' | 'not in') =>
    db
      .selectFrom('schedule')
      .select('schedule.monitor')
      .where(dialect.isAmong('schedule.monitor', given))
      .where('schedule.region', operator, regions)
      // Nothing has ever checked from a region whose `seen_at` is 0, so such a region does not observe a monitor.
      .$if(operator === 'not in', (query) =>
        query.where('schedule.region', 'in', db.selectFrom('region').select('id').where('seen_at', '>', 0)),
      );
  const rows = await db
    .selectFrom('monitor_state')
    .selectAll()
    .where(dialect.isAmong('monitor', given))
    .where('status', 'in', ['up', 'down'])
    .where('unobserved_since', 'is', null)
    .where('monitor', 'in', checkedFrom('in'))
    .where('monitor', 'not in', checkedFrom('not in'))
    .orderBy('monitor')
    .$if(locks, (query) => query.modifyEnd(dialect.forUpdate))
    .execute();
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
