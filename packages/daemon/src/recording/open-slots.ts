import type { Transaction } from 'kysely';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/**
 * A result slot (a row of `result_slot`) is a group of new results that arrived within a few seconds. A slot gets
 * results for this long. If this time were shorter, the recent results of a monitor would be in many slots.
 */
const slotSeconds = 10;
/**
 * A slot with this many results closes earlier, but not within its first second. The smaller a slot is, the fewer pages
 * a commit writes.
 */
const slotRows = 1000;

/** Decides into which result slot of `recent_result` new results are written. */
export interface OpenSlots {
  /**
   * Resolves with the slot into which the caller has to write this many results. `at` is the time of the latest result,
   * in epoch milliseconds.
   */
  take(trx: Transaction<Tables>, at: number, results: number): Promise<number>;
  /** Closes the open slot, so that later results go to another slot. Call this function in a transaction. */
  close(): void;
}

export function createOpenSlots(store: Store): OpenSlots {
  let open: { slot: number; results: number } | null = null;
  const lastSlot = prepare(store, (db) =>
    db
      .selectFrom('result_slot')
      .select((row) => row.fn.max('slot').as('slot'))
      .unionAll(db.selectFrom('result_fold').select((row) => row.fn.max('target').as('slot'))),
  );
  const insertSlot = prepare(store, (db, p: { slot: number }) =>
    db
      .insertInto('result_slot')
      .values({ slot: p.slot })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return {
    async take(trx, at, results) {
      const second = Math.floor(at / 1000);
      if (open === null) {
        const last = Math.max(0, ...(await lastSlot(trx, {})).map(({ slot }) => slot ?? 0));
        open = { slot: Math.max(last + 1, second), results: 0 };
      } else if (second >= open.slot + slotSeconds || (open.results >= slotRows && second > open.slot))
        open = { slot: second, results: 0 };
      open.results += results;
      // The slot is written each time, because the transaction that opened the slot may have failed.
      await insertSlot(trx, { slot: open.slot });
      return open.slot;
    },
    close() {
      open = null;
    },
  };
}
