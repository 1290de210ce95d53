import { sql, type Transaction } from 'kysely';
import { maxResultCharacters, maxResults, type ProbeResult } from '../probe-protocol.ts';
import { prepareChange } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type EarlyCorrection, type EarlyResults, openEarlyResults, type StoredResult } from './early-results.ts';
import { countResults, createThinning } from './thin-results.ts';

/** A result that has no number yet, because the queue has not stored it. */
export interface QueuedResult extends Omit<ProbeResult, 'seq'> {
  /** Whether the check ended before the process had its first exchange with the server. */
  isEarly?: boolean;
}

/** The results that the server does not have yet. They are stored, so that a restart does not lose them. */
export interface ResultQueue {
  /** Adds results as a part of the transaction. */
  add(trx: Transaction<Tables>, results: readonly QueuedResult[]): Promise<void>;
  /** The next results to send, the oldest first. */
  next(): Promise<ProbeResult[]>;
  /**
   * Like `drop`, for the first answer of the server. In a folder that was restored from a backup, results of this
   * process may have numbers that the server has already seen. So if `applied` is higher than every number that existed
   * when this process started, the results of this process get numbers above `applied`, in the same order.
   * `correction` says how to correct the early results of this process (early-results.ts).
   */
  join(applied: number, correction?: EarlyCorrection): Promise<void>;
  /** Removes the results up to this number, because the server has recorded them. */
  drop(applied: number): Promise<void>;
  /** How many results wait, and when the check of the oldest one ended. */
  waiting(): Promise<{ queued: number; oldestAt: number | null }>;
  /**
   * If too many results wait, removes those whose neighbours have the same verdict: see core/thin-runs.ts. If that is
   * not enough, `fullFor` returns a fault for the monitors with the most changes of verdict.
   */
  thin(): Promise<void>;
  /** Why the monitor should not be checked now, or null. Without `monitor`: why some monitors should not be checked. */
  fullFor(monitor?: number): string | null;
}

/** Maximum number of characters of all results in the queue. If there are more, `thin` removes results. */
const maxWaitingCharacters = 64_000_000;
/**
 * Estimated number of characters of a result. `maxWaitingCharacters` is divided by it, because counting results is
 * faster than counting their characters.
 */
const meanCharacters = 300;

const fullFault =
  'Too many changes of verdict wait for the server. The probe does not check the monitors with the most changes.';

export async function createResultQueue(
  store: Store,
  maxWaiting = Math.floor(maxWaitingCharacters / meanCharacters),
): Promise<ResultQueue> {
  const insert = prepareChange(
    store,
    (db, row: { monitor: number; verdict: QueuedResult['verdict']; result: string }) =>
      db.insertInto('probe_result').values({ monitor: row.monitor, verdict: row.verdict, result: row.result }),
  );
  const thinning = createThinning(store, maxWaiting);
  /** The highest result number of earlier processes. */
  const earlier = await highestNumber(store);
  const early = await openEarlyResults(store, earlier);
  /** The highest result number that the server has confirmed since this process started. */
  let highest = 0;
  const queue: ResultQueue = {
    async add(trx, results) {
      for (const result of results) {
        const { monitor, verdict } = result;
        // The queue keeps only the latest checker fault of each monitor.
        if (verdict === 'internal')
          await trx
            .deleteFrom('probe_result')
            .where('monitor', '=', monitor)
            .where('verdict', '=', 'internal')
            .execute();
        await insert(trx, { monitor, verdict, result: JSON.stringify(early.tagged(result)) });
      }
    },
    next: () => nextResults(store, early),
    async join(applied, correction = 0) {
      await early.correct(correction);
      if (applied <= earlier) return queue.drop(applied);
      // One transaction, so that no result gets a number up to `applied` between the two changes.
      await store.write(async (trx) => {
        thinning.onRenumbered();
        await renumber(trx, earlier, applied);
        await dropResults(trx, applied, applied > highest);
      });
      highest = Math.max(highest, applied);
    },
    async drop(applied) {
      // This commit does not wait for the disk. If a power cut undoes the commit, the probe sends these results again,
      // and the server ignores them.
      await store.write((trx) => dropResults(trx, applied, applied > highest), { durable: false });
      highest = Math.max(highest, applied);
    },
    waiting: () => readWaiting(store, early),
    thin: () => thinning.thin(),
    fullFor(monitor) {
      const full = thinning.full();
      return (monitor === undefined ? full.size > 0 : full.has(monitor)) ? fullFault : null;
    },
  };
  return queue;
}

async function readWaiting(store: Store, early: EarlyResults): Promise<{ queued: number; oldestAt: number | null }> {
  const first = await store.db.selectFrom('probe_result').select('result').orderBy('seq').limit(1).executeTakeFirst();
  if (!first) return { queued: 0, oldestAt: null };
  return { queued: await countResults(store), oldestAt: early.corrected(JSON.parse(first.result) as StoredResult).at };
}

/**
 * Removes the results up to the number `applied`. `isNew` says that the server has not confirmed this number to this
 * process before. Then new results must get numbers above it.
 */
async function dropResults(trx: Transaction<Tables>, applied: number, isNew: boolean): Promise<void> {
  await trx.deleteFrom('probe_result').where('seq', '<=', applied).execute();
  if (!isNew) return;
  // Inserting and deleting this row makes the database continue above this number, even in a folder that was restored
  // from a backup. Otherwise new results would get numbers that the server has already seen, and the server would
  // ignore them.
  const mark = { seq: applied, monitor: 0, verdict: 'internal' as const, result: '' };
  await trx.insertInto('probe_result').values(mark).execute();
  await trx.deleteFrom('probe_result').where('seq', '=', applied).execute();
}

/** Returns the highest number that any result of this folder has had, or 0. */
async function highestNumber({ db }: Store): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = 'probe_result' union all select max(seq) from probe_result`.execute(
    db,
  );
  return Math.max(0, ...rows.map(({ seq }) => seq ?? 0));
}

/**
 * Gives new numbers to the results whose numbers are above `earlier`. The new numbers are above `applied`, in the same
 * order.
 */
async function renumber(trx: Transaction<Tables>, earlier: number, applied: number): Promise<void> {
  // The numbers are negative in between, so that no new number equals an old number.
  await sql`update probe_result set seq = -(seq + ${applied - earlier}) where seq > ${earlier}`.execute(trx);
  await sql`update probe_result set seq = -seq where seq < 0`.execute(trx);
}

/** Returns the next results to send, the oldest first: as many as fit into one request. */
async function nextResults(store: Store, early: EarlyResults): Promise<ProbeResult[]> {
  const rows = await store.db.selectFrom('probe_result').selectAll().orderBy('seq').limit(maxResults).execute();
  const latest = await latestVerdicts(store, [...new Set(rows.map(({ monitor }) => monitor))]);
  const results: ProbeResult[] = [];
  let characters = 0;
  for (const { seq, monitor, verdict, result } of rows) {
    characters += result.length;
    if (characters > maxResultCharacters && results.length > 0) break;
    const last = latest.get(monitor);
    const isOver = [verdict === 'up' ? null : last?.up, verdict === 'down' ? null : last?.down].some(
      (other) => (other ?? 0) > seq,
    );
    const stored = early.corrected(JSON.parse(result) as StoredResult);
    results.push({ ...stored, seq, over: stored.over || isOver });
  }
  return results;
}

/**
 * Returns, for each monitor, the numbers of its latest passed and its latest failed result. One look-up in the index
 * finds each number. A query with `group by` would read all waiting results of the monitors, in one turn of the event
 * loop.
 */
async function latestVerdicts(store: Store, monitors: readonly number[]) {
  const latest = (verdict: string) =>
    sql<number | null>`(select max(seq) from probe_result where monitor = given.value and verdict = ${verdict})`;
  const { rows } = await sql<{ monitor: number; up: number | null; down: number | null }>`
    select given.value as monitor, ${latest('up')} as up, ${latest('down')} as down
    from json_each(${JSON.stringify(monitors)}) as given`.execute(store.db);
  return new Map(rows.map((row) => [row.monitor, row]));
}
