import { type Kysely, sql, type Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';
import { removeMonitors } from './monitor-life.ts';

/** The owner of projects that are being removed. No account has this id. */
export const removedOwner = '!removed';

/**
 * Number of rows that one transaction removes from a table with dependent rows. A thousand rows in other tables may
 * belong to each of these rows.
 */
const piece = 10;
/** Number of rows that one transaction removes from a table without dependent rows. */
const largePiece = 100;

/**
 * Marks one project, or all projects of an account, as being removed. From then on no key, session or list finds them.
 * `removeProject` removes their contents.
 */
export async function closeProjects(
  trx: Transaction<Tables>,
  of: { user: string } | { project: string },
): Promise<void> {
  await trx
    .updateTable('project')
    .set({ user_id: removedOwner, api_key: sql<string>`${`${removedOwner} `} || id` })
    .where((row) => ('user' in of ? row('user_id', '=', of.user) : row('id', '=', of.project)))
    .execute();
}

/** Finds a project that is being removed. Resolves with undefined if there is no such project. */
export const closedProject = (db: Kysely<Tables>): Promise<{ id: string } | undefined> =>
  db.selectFrom('project').select('id').where('user_id', '=', removedOwner).limit(1).executeTakeFirst();

/**
 * Removes a project that `closeProjects` has marked, and everything in it, in short transactions, so that pings are
 * recorded in between. If the process is killed before the end, the daemon's retention removes the remaining contents.
 * Results of the project's monitors are deleted later.
 */
export async function removeProject(store: Store, project: string, now: number): Promise<void> {
  // A power cut may undo the last transactions. The daemon's retention then removes these contents again.
  while (await store.write((trx) => removePiece(trx, project, now), { durable: false })) await nextTurn();
}

/**
 * Removes some contents of a project that `closeProjects` has marked. Resolves with whether there may be more contents.
 */
export async function removePiece(trx: Transaction<Tables>, project: string, now: number): Promise<boolean> {
  // This locks the project, because another node may be removing it too.
  const locked = await trx
    .updateTable('project')
    .set({ updated_at: now })
    .where('id', '=', project)
    .where('user_id', '=', removedOwner)
    .returning('id')
    .executeTakeFirst();
  if (!locked) return false;
  if (await removeMembers(trx, 'status_page', project, piece)) return true;
  const monitors = await trx
    .selectFrom('monitor')
    .select('seq')
    .where('project_id', '=', project)
    .limit(piece)
    .execute();
  if (monitors.length > 0) {
    const seqs = monitors.map(({ seq }) => seq);
    await removeMonitors(trx, seqs, now);
    return true;
  }
  if (await removeDeliveries(trx, project)) return true;
  if (await removeMembers(trx, 'alert', project, largePiece)) return true;
  if (await removeMembers(trx, 'rule', project, piece)) return true;
  if (await removeMembers(trx, 'channel', project, piece)) return true;
  if (await removeUpdates(trx, project)) return true;
  if (await removeMembers(trx, 'incident', project, piece)) return true;
  if (await removeKeys(trx, project)) return true;
  if (await removeKeptAnswers(trx, project)) return true;
  await trx.deleteFrom('project').where('id', '=', project).execute();
  return false;
}

type Member = 'status_page' | 'alert' | 'rule' | 'channel' | 'incident';

/**
 * Removes some of the project's rows in a table, with all rows that belong to them. Resolves with whether there were
 * any.
 */
async function removeMembers(
  trx: Transaction<Tables>,
  table: Member,
  project: string,
  maxRows: number,
): Promise<boolean> {
  const some = await trx
    .selectFrom<Member>(table)
    .select('seq')
    .where('project_id', '=', project)
    .limit(maxRows)
    .execute();
  const seqs = some.map(({ seq }) => seq);
  if (seqs.length > 0) await trx.deleteFrom<Member>(table).where('seq', 'in', seqs).execute();
  return seqs.length > 0;
}

async function removeDeliveries(trx: Transaction<Tables>, project: string): Promise<boolean> {
  const some = await trx
    .selectFrom('delivery')
    .innerJoin('alert', 'alert.seq', 'delivery.alert')
    .select('delivery.seq')
    .where('alert.project_id', '=', project)
    .limit(largePiece)
    .execute();
  const seqs = some.map(({ seq }) => seq);
  if (seqs.length > 0) await trx.deleteFrom('delivery').where('seq', 'in', seqs).execute();
  return seqs.length > 0;
}

async function removeUpdates(trx: Transaction<Tables>, project: string): Promise<boolean> {
  const some = await trx
    .selectFrom('incident_update')
    .innerJoin('incident', 'incident.seq', 'incident_update.incident')
    .select('incident_update.seq')
    .where('incident.project_id', '=', project)
    .limit(largePiece)
    .execute();
  const seqs = some.map(({ seq }) => seq);
  if (seqs.length > 0) await trx.deleteFrom('incident_update').where('seq', 'in', seqs).execute();
  return seqs.length > 0;
}

async function removeKeys(trx: Transaction<Tables>, project: string): Promise<boolean> {
  const some = await trx
    .selectFrom('project_key')
    .select('id')
    .where('project_id', '=', project)
    .limit(largePiece)
    .execute();
  const ids = some.map(({ id }) => id);
  if (ids.length > 0) await trx.deleteFrom('project_key').where('id', 'in', ids).execute();
  return ids.length > 0;
}

/** Removes the answers that were kept for repeated requests, because no request to a removed project is accepted. */
async function removeKeptAnswers(trx: Transaction<Tables>, project: string): Promise<boolean> {
  const some = await trx
    .selectFrom('idempotency')
    .select('seq')
    .where('owner', '=', project)
    .limit(largePiece)
    .execute();
  const seqs = some.map(({ seq }) => seq);
  if (seqs.length > 0) await trx.deleteFrom('idempotency').where('seq', 'in', seqs).execute();
  return seqs.length > 0;
}
