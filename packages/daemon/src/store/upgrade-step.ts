import type { Transaction } from 'kysely';
import { nextTurn } from '../wait.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Maximum number of rows that one transaction of an upgrade step changes. With this number, a transaction blocks the
 * event loop for only a few milliseconds.
 */
export const maxPieceRows = 200;

/**
 * A step of an upgrade that runs once over a whole table, in batches of rows, while the daemon serves. `run` changes at
 * most `maxPieceRows` rows after a position. It returns the position of the last changed row, or null if no rows
 * remained.
 */
export interface UpgradeStep {
  name: string;
  run: (trx: Transaction<Tables>, after: number) => Promise<number | null>;
}

/**
 * Runs a step to its end. After a kill, the step continues where it stopped, because the transaction of each batch
 * stores the position. Does nothing if the step is done. When `signal` aborts, the function stops before the next
 * batch.
 */
export async function runUpgradeStep(store: Store, { name, run }: UpgradeStep, signal: AbortSignal): Promise<void> {
  for (let ended = false; !ended && !signal.aborted; await nextTurn()) {
    ended = await store.write(
      async (trx) => {
        const found = await trx.selectFrom('upgrade_step').selectAll().where('name', '=', name).executeTakeFirst();
        if (found?.done === 1) return true;
        const last = await run(trx, found?.position ?? 0);
        const progress = { position: last ?? found?.position ?? 0, done: last === null ? 1 : 0 };
        await trx
          .insertInto('upgrade_step')
          .values({ name, ...progress })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(progress))
          .execute();
        return last === null;
      },
      { durable: false },
    );
  }
}
