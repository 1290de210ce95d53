import type { Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { removeMonitors } from './monitor-life.ts';

/** Deletes a project and everything in it. The past of its monitors is purged a piece at a time. */
export async function removeProject(trx: Transaction<Tables>, project: string, now: number): Promise<void> {
  const monitors = await trx.selectFrom('monitor').select('seq').where('project_id', '=', project).execute();
  await removeMonitors(
    trx,
    monitors.map(({ seq }) => seq),
    now,
  );
  // Nobody can repeat a request to a project that is gone.
  await trx.deleteFrom('idempotency').where('owner', '=', project).execute();
  await trx.deleteFrom('project').where('id', '=', project).execute();
}
