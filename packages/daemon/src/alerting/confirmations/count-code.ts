import type { Transaction } from 'kysely';
import { dayMs } from '../../core/uptime.ts';
import type { Tables } from '../../store/tables.ts';

/** Maximum number of codes that are sent to one mailbox or phone within 24 hours, for all accounts together. */
export const maxCodesPerMailbox = 3;

/**
 * Counts a code that is about to be sent to a mailbox or phone, and resolves with null. If no code may be sent there
 * now, counts nothing, and resolves with the time when the next code may be sent, in epoch milliseconds.
 */
export async function countCode(trx: Transaction<Tables>, mailbox: string, now: number): Promise<number | null> {
  const known = await trx.selectFrom('address_codes').selectAll().where('mailbox', '=', mailbox).executeTakeFirst();
  if (known && known.third_at !== null && known.third_at > now - dayMs) return known.third_at + dayMs;
  const times = { latest_at: now, second_at: known?.latest_at ?? null, third_at: known?.second_at ?? null };
  await trx
    .insertInto('address_codes')
    .values({ mailbox, ...times })
    .onConflict((conflict) => conflict.column('mailbox').doUpdateSet(times))
    .execute();
  return null;
}

/** Removes the latest code of a mailbox from the count, because that code was not sent. */
export async function uncountCode(trx: Transaction<Tables>, mailbox: string): Promise<void> {
  const latest = trx.deleteFrom('address_codes').where('mailbox', '=', mailbox);
  const alone = await latest.where('second_at', 'is', null).executeTakeFirst();
  if (alone.numDeletedRows > 0n) return;
  await trx
    .updateTable('address_codes')
    .set((row) => ({ latest_at: row.ref('second_at').$notNull(), second_at: row.ref('third_at'), third_at: null }))
    .where('mailbox', '=', mailbox)
    .execute();
}
