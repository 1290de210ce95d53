import type { KeyScope } from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import { removedOwner } from '../../lifecycle/remove-project.ts';
import type { Store } from '../../store/store.ts';
import type { Project, ProjectKeyRow } from '../../store/tables.ts';
import { isoTime } from '../iso-time.ts';
import { isApiKey } from '../secrets.ts';

/** The key of a request: either the project's own key, whose id and name are null, or a key for a machine. */
export interface CallerKey extends Pick<ProjectKeyRow, 'expires_at' | 'last_used_at'> {
  id: string | null;
  name: string | null;
  scope: KeyScope;
}

/** A project that a request has access to, and the key of the request. The key is null if the request has a session. */
export interface OpenedProject extends Project {
  key: CallerKey | null;
}

const ownKey: CallerKey = { id: null, name: null, scope: 'full', expires_at: null, last_used_at: null };

/** Returns the digest under which a key is stored. A key has 238 random bits, so a plain digest does not reveal it. */
export const digestOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Resolves with the project that a key gives access to. Throws `unauthenticated` for a key that is unknown or has
 * expired.
 */
export async function openByKey(db: Store['db'], key: string, now: number): Promise<OpenedProject> {
  if (!isApiKey(key)) throw unknown();
  const project = await db.selectFrom('project').selectAll().where('api_key', '=', key).executeTakeFirst();
  if (project) return { ...project, key: ownKey };
  const found = await db
    .selectFrom('project_key')
    .innerJoin('project', 'project.id', 'project_key.project_id')
    .selectAll('project')
    .select([
      'project_key.id as key_id',
      'project_key.name as key_name',
      'project_key.scope',
      'project_key.expires_at',
      'project_key.last_used_at',
    ])
    .where('project_key.digest', '=', digestOfKey(key))
    .where('project.user_id', '!=', removedOwner)
    .executeTakeFirst();
  if (!found) throw unknown();
  const { key_id: id, key_name: name, scope, expires_at, last_used_at, ...opened } = found;
  if (expires_at !== null && expires_at <= now) {
    const create = `\`uptime keys create --name <name> --scope ${scope}\` creates another one.`;
    throw new ServiceError('unauthenticated', `This API key expired on ${isoTime(expires_at)}. ${create}`);
  }
  return { ...opened, key: { id, name, scope, expires_at, last_used_at } };
}

const unknown = () => new ServiceError('unauthenticated', 'This API key is not valid.');
