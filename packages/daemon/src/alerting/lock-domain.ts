import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * On PostgreSQL, lets only one transaction at a time review alerts about one of these domains, even for different
 * monitors. The later transaction waits, and is repeated if it has already read. Otherwise both would alert the same
 * channel.
 */
export async function lockDomain(trx: Transaction<Tables>, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await trx
    .updateTable('domain_registration')
    .set((row) => ({ name: row.ref('name') }))
    .where('name', 'in', names)
    .execute();
}
