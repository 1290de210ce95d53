import type { Transaction } from 'kysely';
import type { Tables } from '../../store/tables.ts';

/**
 * Meets, on PostgreSQL, whoever reviews an alert about one of these domains at this moment, for another monitor: the
 * later of the two waits, and is run again where it has read already. Otherwise both would tell the same channel.
 */
export async function lockDomain(trx: Transaction<Tables>, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await trx
    .updateTable('domain_registration')
    .set((row) => ({ name: row.ref('name') }))
    .where('name', 'in', names)
    .execute();
}
