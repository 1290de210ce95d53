import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { notFound } from '../errors.ts';
import { regionNumber } from '../lifecycle/regions.ts';
import { newId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

type Db = Pick<Transaction<Tables>, 'selectFrom'>;

/** A token, which is shown only once, and its stored row. */
export interface NewProbeToken {
  id: string;
  region: string;
  token: string;
  createdAt: number;
}

/** Creates a token with which probes join a region. Only its digest is stored. */
export async function addProbeToken(trx: Transaction<Tables>, region: string, now: number): Promise<NewProbeToken> {
  // 256 bits from the system's generator.
  const token = `uprobe_${randomBytes(32).toString('hex')}`;
  const id = newId('prb', now);
  await trx
    .insertInto('probe_token')
    .values({ id, region: await regionNumber(trx, region), digest: digestOf(token), created_at: now })
    .execute();
  return { id, region, token, createdAt: now };
}

/** The id and the region of a token; undefined if it is unknown or revoked. */
export async function findProbeToken(db: Db, token: string): Promise<{ id: string; region: number } | undefined> {
  if (!/^uprobe_[0-9a-f]{64}$/.test(token)) return undefined;
  return db.selectFrom('probe_token').select(['id', 'region']).where('digest', '=', digestOf(token)).executeTakeFirst();
}

/** Revokes a token at once, with the probes that joined with it. Throws `not_found`. */
export async function revokeProbeToken(store: Store, id: string): Promise<void> {
  await store.write(async (trx) => {
    const known = await trx.selectFrom('probe_token').select('id').where('id', '=', id).executeTakeFirst();
    if (!known) throw notFound('probe');
    await trx.deleteFrom('probe').where('token', '=', id).execute();
    await trx.deleteFrom('probe_token').where('id', '=', id).execute();
  });
}

/** A random token needs no slow digest: it cannot be guessed. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
