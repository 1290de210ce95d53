import { memberBytes } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';

/**
 * Reduces the stored size (`bytes`) of each rule, page and incident that names a monitor, by the size of that
 * reference. Call this function before the monitor is deleted.
 */
export async function giveBackMembers(trx: Transaction<Tables>, monitor: number): Promise<void> {
  await trx
    .updateTable('rule')
    .set((row) => ({ bytes: row('bytes', '-', memberBytes) }))
    .where('seq', 'in', trx.selectFrom('rule_monitor').select('rule').where('monitor', '=', monitor))
    .execute();
  await trx
    .updateTable('status_page')
    .set((row) => ({ bytes: row('bytes', '-', memberBytes) }))
    .where('seq', 'in', trx.selectFrom('status_page_monitor').select('page').where('monitor', '=', monitor))
    .execute();
  await trx
    .updateTable('incident')
    .set((row) => ({ bytes: row('bytes', '-', memberBytes) }))
    .where('seq', 'in', trx.selectFrom('incident_monitor').select('incident').where('monitor', '=', monitor))
    .execute();
}
