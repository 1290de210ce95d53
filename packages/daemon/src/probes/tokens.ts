import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { notFound } from '../errors.ts';
import { regionNumber } from '../lifecycle/regions.ts';
import { newId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

type Db = Pick<Transaction<Tables>, 'selectFrom'>;

/** A new token. Its text (`token`) is shown only once; the other fields are stored. */
export interface NewProbeToken {
  id: string;
  region: string;
  token: string;
  createdAt: number;
}

/** Creates a token with which probes join a region. Only its digest is stored. */
export async function addProbeToken(trx: Transaction<Tables>, region: string, now: number): Promise<NewProbeToken> {
  // 256 random bits from the operating system.
  const token = `uprobe_${randomBytes(32).toString('hex')}`;
  const id = newId('prb', now);
  await trx
    .insertInto('probe_token')
    .values({ id, region: await regionNumber(trx, region), digest: digestOf(token), created_at: now })
    .execute();
  return { id, region, token, createdAt: now };
}

/** Finds the id and the region of a token; undefined if the token is unknown or revoked. */
export async function findProbeToken(db: Db, token: string): Promise<{ id: string; region: number } | undefined> {
  if (!/^uprobe_[0-9a-f]{64}$/.test(token)) return undefined;
  return db.selectFrom('probe_token').select(['id', 'region']).where('digest', '=', digestOf(token)).executeTakeFirst();
}

/** Deletes a token and the probes that joined with it. Throws `not_found` if there is no such token. */
export async function revokeProbeToken(store: Store, id: string): Promise<void> {
  await store.write(async (trx) => {
    const known = await trx.selectFrom('probe_token').select('id').where('id', '=', id).executeTakeFirst();
    if (!known) throw notFound('probe');
    await trx.deleteFrom('probe').where('token', '=', id).execute();
    await trx.deleteFrom('probe_token').where('id', '=', id).execute();
  });
}

/**
 * Returns the digest that is stored. A fast digest is safe here, because a random token of 256 bits cannot be guessed.
 */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
