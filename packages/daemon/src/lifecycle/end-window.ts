import type { Transaction } from 'kysely';
import { storedSize } from '../core/stored-size.ts';
import { newId } from '../store/ids.ts';
import type { Tables } from '../store/tables.ts';
import { reviewAfterWindow } from './maintenance-edges.ts';

const message = 'The maintenance window has ended.';

/**
 * Resolves a maintenance window whose planned end has passed. The planned end becomes `resolved_at`. Does nothing if
 * the window is resolved already.
 */
export async function endWindow(trx: Transaction<Tables>, seq: number, now: number): Promise<void> {
  const ended = await trx
    .updateTable('incident')
    .set((row) => ({
      status: 'resolved' as const,
      resolved_at: row.ref('scheduled_end'),
      bytes: row('bytes', '+', storedSize({ message })),
      updated_at: now,
    }))
    .where('seq', '=', seq)
    .where('maintenance', '=', 1)
    .where('resolved_at', 'is', null)
    .where('scheduled_end', '<=', now)
    .returning('scheduled_end')
    .executeTakeFirst();
  if (!ended) return;
  await trx
    .insertInto('incident_update')
    .values({
      id: newId('upd', now),
      incident: seq,
      status: 'resolved',
      message,
      created_at: ended.scheduled_end ?? now,
    })
    .execute();
  const monitors = await trx.selectFrom('incident_monitor').select('monitor').where('incident', '=', seq).execute();
  await reviewAfterWindow(
    trx,
    monitors.map(({ monitor }) => monitor),
    now,
  );
}
