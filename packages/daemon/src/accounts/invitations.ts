import { createHash, randomBytes } from 'node:crypto';
import { dayMs } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';

/** How long an invitation is valid. */
const validMs = 7 * dayMs;

export interface Invitation {
  /** The code that the invited person enters. It can be shown only once, because the store keeps only its hash. */
  code: string;
  expiresAt: number;
}

/** Creates an invitation for one account, valid for a week. If `email` is given, only that address can use it. */
export async function createInvitation(
  store: Store,
  { email, now }: { email: string | null; now: number },
): Promise<Invitation> {
  const code = randomBytes(16).toString('hex');
  const expiresAt = now + validMs;
  const row = { code_hash: hashOf(code), email: email?.toLowerCase() ?? null, expires_at: expiresAt };
  await store.write((trx) => trx.insertInto('invitation').values(row).execute());
  return { code, expiresAt };
}

/**
 * Uses up an invitation, so that no other sign-up can use it. Resolves with null if the invitation is invalid. If the
 * sign-up fails, the caller must call `reopenInvitation`, which makes the invitation valid again.
 */
export async function takeInvitation(
  store: Store,
  { code, email, now }: { code: string; email: string; now: number },
): Promise<{ reopenInvitation: () => Promise<void> } | null> {
  const row = await store.write(async (trx) => {
    await trx.deleteFrom('invitation').where('expires_at', '<=', now).execute();
    return trx
      .deleteFrom('invitation')
      .where('code_hash', '=', hashOf(code))
      .where((its) => its.or([its('email', 'is', null), its('email', '=', email.toLowerCase())]))
      .returningAll()
      .executeTakeFirst();
  });
  if (!row) return null;
  return {
    reopenInvitation: () => store.write(async (trx) => void (await trx.insertInto('invitation').values(row).execute())),
  };
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');
