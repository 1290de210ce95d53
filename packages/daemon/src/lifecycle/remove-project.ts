import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { removeMonitors } from './monitor-life.ts';

/** Deletes a project and everything in it. Results of its monitors are purged later in pieces. */
export async function removeProject(trx: Transaction<Tables>, project: string, now: number): Promise<void> {
  const monitors = await trx.selectFrom('monitor').select('seq').where('project_id', '=', project).execute();
  await removeMonitors(
    trx,
    monitors.map(({ seq }) => seq),
    now,
  );
  // A request to a deleted project cannot be repeated.
  await trx.deleteFrom('idempotency').where('owner', '=', project).execute();
  await trx.deleteFrom('project').where('id', '=', project).execute();
}
