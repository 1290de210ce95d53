import { sql, type Transaction } from 'kysely';
import { createRunThinning, type Thinned, type ThinnedPiece } from '../core/thin-runs.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';

/** Maximum number of results that one transaction reads or deletes, so that no turn of the event loop is long. */
const maxResultsAtOnce = 250;
/**
 * After a pass, the next pass waits until the queue has grown by this share of its limit, because each pass reads the
 * whole queue.
 */
const growthBeforePass = 0.1;
/** Another pass follows at once only if the last pass deleted at least this share of the limit. */
const worthwhileShare = 0.01;
/**
 * Maximum number of passes in a row. Each pass halves the results that may be deleted, so after this many passes hardly
 * any of them are left. Without this limit, the passes would never end if new results arrive faster than passes delete
 * them.
 */
const maxPasses = 8;

/**
 * A commit that thins the queue does not wait for the disk. If a power cut undoes the commit, the results are back, and
 * are thinned again.
 */
const notDurable = { durable: false };

/** Keeps the number of waiting results near a limit. */
export interface Thinning {
  /**
   * Removes results if more than `maxWaiting` wait: see core/thin-runs.ts. If that is not enough, each monitor that
   * needs more than its share of the queue counts as full.
   */
  thin(): Promise<void>;
  /** The monitors that are full. They should not be checked, because the queue would keep new changes of verdict. */
  full(): ReadonlySet<number>;
  /**
   * Call it in the transaction that gives results other numbers. A running pass then ends, because it knows only the
   * old numbers.
   */
  onRenumbered(): void;
}

export function createThinning(store: Store, maxWaiting: number): Thinning {
  let renumberings = 0;
  let startAbove = maxWaiting;
  /** The number of the oldest waiting result at the last pass. */
  let firstAtPass = 0;
  let full: ReadonlySet<number> = new Set();

  /** Makes one pass over the queue. Returns null if results got other numbers during the pass. */
  const thinOnce = async () => {
    const pass = createRunThinning();
    let began: number | null = null;
    let deleted = 0;
    for (let after = 0; ;) {
      const piece = await store.write(async (trx) => {
        began ??= renumberings;
        return began === renumberings ? readPiece(trx, after) : null;
      }, notDurable);
      if (piece === null) return null;
      if (piece.length === 0) return { deleted, overShare: pass.overShare(maxWaiting) };
      const thinned = pass.thin(piece);
      if (thinned.gone.length > 0) await store.write((trx) => deleteUnlessRenumbered(trx, thinned, began), notDurable);
      deleted += thinned.gone.length;
      after = piece.at(-1)!.seq;
      await nextTurn();
    }
  };

  // If results got other numbers, the next transaction of the pass ends the pass.
  const deleteUnlessRenumbered = async (
    trx: Transaction<Tables>,
    { gone, following }: ThinnedPiece,
    began: number | null,
  ) => {
    if (began !== renumberings) return;
    await trx.deleteFrom('probe_result').where('seq', 'in', gone).execute();
    await sql`
      update probe_result set result = json_set(result, '$.thinned', json_remove(mark.value, '$.seq'))
      from json_each(${JSON.stringify(following)}) as mark where seq = mark.value ->> '$.seq'`.execute(trx);
  };

  return {
    onRenumbered: () => void renumberings++,
    full: () => full,
    async thin() {
      let queued = await countResults(store);
      const first = await firstNumber(store);
      // Even if the queue is as long as at the last pass, the server may have taken results of full monitors. A new
      // pass decides which monitors are still full.
      const hasMoved = full.size > 0 && first - firstAtPass > maxWaiting * growthBeforePass;
      if (queued > maxWaiting && queued <= startAbove && !hasMoved) return;
      firstAtPass = first;
      let overShare: ReadonlySet<number> = new Set();
      for (let passes = 0; queued > maxWaiting && passes < maxPasses; passes++) {
        const pass = await thinOnce();
        if (pass === null) return;
        overShare = pass.overShare;
        queued = await countResults(store);
        if (pass.deleted < Math.max(1, maxWaiting * worthwhileShare)) break;
      }
      full = queued > maxWaiting ? overShare : new Set();
      startAbove = queued > maxWaiting ? queued + maxWaiting * growthBeforePass : maxWaiting;
    },
  };
}

/** Returns the next results after the number `after`. */
async function readPiece(trx: Transaction<Tables>, after: number) {
  const rows = await trx
    .selectFrom('probe_result')
    .select([
      'seq',
      'monitor',
      'verdict',
      sql<number>`result ->> '$.at'`.as('at'),
      sql<string | null>`result -> '$.thinned'`.as('thinned'),
      sql<number | null>`result ->> '$.early'`.as('early'),
    ])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(maxResultsAtOnce)
    .execute();
  return rows.map(({ early, ...row }) => ({
    ...row,
    // The times of early results may still be corrected, so they are thinned separately from the other results.
    verdict: early === null ? row.verdict : `${row.verdict} ${early}`,
    thinned: row.thinned === null ? null : (JSON.parse(row.thinned) as Thinned),
  }));
}

/** Returns the number of the oldest waiting result, or 0. */
async function firstNumber({ db }: Store): Promise<number> {
  const row = await db.selectFrom('probe_result').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

/** Returns how many results wait. */
export async function countResults(store: Store): Promise<number> {
  const { queued } = await store.db
    .selectFrom('probe_result')
    .select((select) => select.fn.countAll<number>().as('queued'))
    .executeTakeFirstOrThrow();
  return queued;
}
