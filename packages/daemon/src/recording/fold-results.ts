import type { Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { FoldName, ResultFoldTable, ResultTable, Tables } from '../store/tables.ts';
import type { OpenSlots } from './open-slots.ts';

/**
 * Maximum number of results in a piece. A piece is the batch that one transaction processes. It may have more only if
 * all its results belong to one monitor. A transaction with so few results blocks the event loop for only a few
 * milliseconds.
 */
const maxPieceRows = 1500;
/** A piece contains the results of at most this many monitors. */
const maxMonitors = 4096;

/**
 * A fold is a job that processes each result in `recent_result` once. There are two folds: one counts the results, and
 * one moves them to the table `result`.
 */
export interface Fold {
  /**
   * Processes the next piece of the results in the result slots below the number `until` (see open-slots.ts). Resolves
   * with false if nothing was left to process. A kill between two pieces neither repeats nor loses results.
   */
  piece(until: number): Promise<boolean>;
}

/**
 * Creates a fold. It works in passes. A pass processes the result slots that exist when the pass begins. It takes the
 * monitors in the order of their numbers, because the rows of neighbouring monitors share pages. `apply` gets the
 * results of one piece, in order of monitor and time.
 */
export function createFold(
  store: Store,
  slots: Pick<OpenSlots, 'close'>,
  name: FoldName,
  apply: (trx: Transaction<Tables>, results: readonly ResultTable[]) => Promise<void>,
): Fold {
  let width = 16;
  return {
    piece: (until) =>
      // The commit does not wait for the disk: a power cut undoes the piece together with the stored progress, so the
      // piece is processed again.
      store.write(
        async (trx) => {
          const mark = await beginPass(trx, name, until);
          if (!mark) return false;
          if (mark.position === 0) slots.close();
          const find = async () => {
            const query = trx
              .selectFrom('result_slot as slots')
              .crossJoin('recent_result as recent')
              .select(['recent.monitor', 'recent.at', 'recent.region', 'recent.code', 'recent.tenths'])
              .where('slots.slot', '>', mark.done)
              .where('slots.slot', '<=', mark.target)
              .whereRef('recent.slot', '=', 'slots.slot')
              .where('recent.monitor', '>', mark.position)
              .where('recent.monitor', '<=', mark.position + width);
            return width === 1 ? query.execute() : query.limit(maxPieceRows + 1).execute();
          };
          let results = await find();
          while (results.length > maxPieceRows && width > 1) {
            width = Math.ceil(width / 4);
            results = await find();
          }
          const last = mark.position + width;
          results.sort((one, other) => one.monitor - other.monitor || one.at - other.at || one.region - other.region);
          if (results.length > 0) await apply(trx, results);
          const more = await trx.selectFrom('monitor').select('seq').where('seq', '>', last).limit(1).execute();
          const next = more.length > 0 ? { ...mark, position: last } : { ...mark, done: mark.target, position: 0 };
          await writeMark(trx, next);
          if (results.length * 2 < maxPieceRows) width = Math.min(width * 2, maxMonitors);
          return true;
        },
        { durable: false },
      ),
  };
}

/** Returns the progress of the running pass, or of a new pass if none runs. Null if no slot is left to process. */
async function beginPass(trx: Transaction<Tables>, name: FoldName, until: number): Promise<ResultFoldTable | null> {
  const mark = await readMark(trx, name);
  if (mark.target > mark.done) return mark;
  const found = await trx
    .selectFrom('result_slot')
    .select((row) => row.fn.max('slot').as('slot'))
    .where('slot', '>', mark.done)
    .where('slot', '<', until)
    .executeTakeFirst();
  if (found?.slot === undefined || found.slot === null) return null;
  return { ...mark, target: found.slot, position: 0 };
}

/** Reads the stored progress of a fold. */
export async function readMark(trx: Pick<Transaction<Tables>, 'selectFrom'>, name: FoldName): Promise<ResultFoldTable> {
  const mark = await trx.selectFrom('result_fold').selectAll().where('name', '=', name).executeTakeFirst();
  return mark ?? { name, done: 0, target: 0, position: 0 };
}

async function writeMark(trx: Transaction<Tables>, mark: ResultFoldTable): Promise<void> {
  const { done, target, position } = mark;
  await trx
    .insertInto('result_fold')
    .values(mark)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ done, target, position }))
    .execute();
}

/** Removes the oldest result slot that both folds have processed. Resolves with whether there was such a slot. */
export function removeFoldedSlot(store: Store): Promise<boolean> {
  return store.write(
    async (trx) => {
      const folded = Math.min((await readMark(trx, 'counts')).done, (await readMark(trx, 'results')).done);
      const oldest = await trx
        .selectFrom('result_slot')
        .select('slot')
        .where('slot', '<=', folded)
        .orderBy('slot')
        .limit(1)
        .executeTakeFirst();
      if (!oldest) return false;
      await trx.deleteFrom('recent_result').where('slot', '=', oldest.slot).execute();
      await trx.deleteFrom('result_slot').where('slot', '=', oldest.slot).execute();
      return true;
    },
    { durable: false },
  );
}
