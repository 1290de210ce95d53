import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, systemClock } from '../deps.ts';
import { answeredInTime } from './answered-in-time.ts';
import { isDisabled } from '../accounts/disabled-accounts.ts';
import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from './accounts.ts';
import { isApiKey, readApiKey } from './secrets.ts';

/** The store must identify a credential within this time. Otherwise only remembered credentials are recognized. */
const limitMs = 400;
/** Maximum number of credentials that are remembered. */
const maxKnown = 50;

/**
 * Resolves with whether the credential of a request belongs to the operator. Never throws, and takes at most half a
 * second.
 */
export type IsOperator = (headers: IncomingHttpHeaders) => Promise<boolean>;

/**
 * Creates an `IsOperator`. The operator's credentials are the sessions of admins, and the API keys of admins' projects.
 * While the store does not answer, credentials that it confirmed earlier are still accepted. The operator then needs
 * access, to find out why the store does not answer.
 */
export function createOperatorTest(
  { store, accounts }: { store: Store; accounts: Accounts },
  clock: Pick<Clock, 'after'> = systemClock,
): IsOperator {
  const known = new Set<string>();
  return async (headers) => {
    const key = readApiKey(headers);
    if (key === null && !accounts.hasCookie(headers)) return false;
    const digest = createHash('sha256')
      .update(key ?? headers.cookie ?? '')
      .digest('base64');
    const asked = (async () => {
      const user = key === null ? await ownerOfSession(headers, accounts) : await ownerOfKey(key, store);
      const isAdmin = user?.role === 'admin' && !(await isDisabled(store.db, user.id));
      known.delete(digest);
      if (isAdmin) known.add(digest);
      for (const oldest of known) if (known.size > maxKnown) known.delete(oldest);
      return isAdmin;
    })();
    return answeredInTime(clock, asked, limitMs, () => known.has(digest));
  };
}

interface Owner {
  id: string;
  role: string;
}

const ownerOfSession = async (headers: IncomingHttpHeaders, accounts: Accounts): Promise<Owner | undefined> =>
  (await accounts.session(headers))?.user;

async function ownerOfKey(key: string, { db }: Store): Promise<Owner | undefined> {
  if (!isApiKey(key)) return undefined;
  const project = await db.selectFrom('project').select('user_id').where('api_key', '=', key).executeTakeFirst();
  if (!project) return undefined;
  return authTables(db).selectFrom('user').select(['id', 'role']).where('id', '=', project.user_id).executeTakeFirst();
}
