import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Locks domains on PostgreSQL, so that only one transaction at a time reviews alerts about them, even for different
 * monitors. A later transaction waits for the lock, and is repeated if it has already read old data. Without the lock,
 * two transactions could both send an alarm to the same channel.
 */
export async function lockDomain(trx: Transaction<Tables>, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await trx
    .updateTable('domain_registration')
    .set((row) => ({ name: row.ref('name') }))
    .where('name', 'in', names)
    .execute();
}
