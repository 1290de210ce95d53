import { faultAt } from '@uptime/sdk/contract';
import type { IncomingHttpHeaders } from 'node:http';
import { isCommonPassword } from '../core/common-password.ts';
import { accountDisabled, invalid, ServiceError } from '../errors.ts';
import type { Clock, Logger } from '../deps.ts';
import { isDisabled } from '../accounts/disabled-accounts.ts';
import { isFirstAccount } from '../accounts/first-account.ts';
import { takeInvitation } from '../accounts/invitations.ts';
import { isSignUpClosed } from '../accounts/sign-up-closed.ts';
import type { Accounts, Session, User } from '../resources/accounts.ts';
import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';
import type { AccountLibrary } from './account-library.ts';
import { createPasswordTurns } from './password-turns.ts';

export interface AccountOptions {
  store: Store;
  clock: Clock;
  log: Logger;
  /** Signs the session cookies. */
  secret: string;
  /** Public address of the site. With https the cookies are Secure. */
  siteUrl: string;
  signup: 'open' | 'closed' | 'invite';
  /** Replaces scrypt, which takes about 90 ms for each password. Only for tests. */
  passwords?: PasswordHashing | undefined;
}

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

/**
 * Returns the functions for accounts and sessions. The library better-auth stores both in its own tables. The library
 * is loaded when the first cookie, sign-up or sign-in arrives, so a server that only checks never loads it.
 */
export async function createAccounts(options: AccountOptions): Promise<Accounts> {
  const { store } = options;
  await removeHalfMade(store);
  let opened: Promise<AccountLibrary> | undefined;
  const library = () =>
    (opened ??= import('./account-library.ts').then(({ openAccountLibrary }) => openAccountLibrary(options)));
  const inTurn = createPasswordTurns();
  const signUp = createSignUp(options, library);
  return {
    signUp: (input, headers) => inTurn(() => signUp(input, headers)),
    async signIn(input, headers) {
      const signIn = async () =>
        (await library()).signInEmail({ body: input, headers: seenBy(headers), returnHeaders: true });
      const answer = await translated(() => inTurn(signIn));
      const user = asUser(answer.response.user);
      if (await isDisabled(store.db, user.id)) {
        await store.write((trx) => authTables(trx).deleteFrom('session').where('userId', '=', user.id).execute());
        throw accountDisabled();
      }
      return { user, cookies: answer.headers.getSetCookie() };
    },
    async changePassword(input, headers) {
      refuseCommon('newPassword', input.newPassword);
      const body = { ...input, revokeOtherSessions: true };
      const change = async () =>
        (await library()).changePassword({ body, headers: seenBy(headers), returnHeaders: true });
      const answer = await translated(() => inTurn(change));
      return { user: asUser(answer.response.user), cookies: answer.headers.getSetCookie() };
    },
    ...createSessionCalls(library),
    hasCookie,
  };
}

/** Returns the functions that take no password. They do not wait for a turn of `createPasswordTurns`. */
function createSessionCalls(
  library: () => Promise<AccountLibrary>,
): Pick<Accounts, 'signOut' | 'session' | 'sessions' | 'endSession'> {
  return {
    async signOut(headers) {
      const answer = await translated(async () =>
        (await library()).signOut({ headers: seenBy(headers), returnHeaders: true }),
      );
      return answer.headers.getSetCookie();
    },
    async session(headers) {
      if (!hasCookie(headers)) return null;
      const answer = await translated(async () =>
        (await library()).getSession({ headers: seenBy(headers), returnHeaders: true }),
      );
      if (!answer.response) return null;
      const { user, session } = answer.response;
      const found: Session = { user: asUser(user), session, cookies: answer.headers.getSetCookie() };
      return found;
    },
    async sessions(headers) {
      const found = await translated(async () => (await library()).listSessions({ headers: seenBy(headers) }));
      return found.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
    },
    async endSession(id, headers) {
      const found = await translated(async () => (await library()).listSessions({ headers: seenBy(headers) }));
      const session = found.find((one) => one.id === id);
      if (!session) return false;
      await translated(async () =>
        (await library()).revokeSession({ body: { token: session.token }, headers: seenBy(headers) }),
      );
      return true;
    },
  };
}

function createSignUp(options: AccountOptions, library: () => Promise<AccountLibrary>): Accounts['signUp'] {
  const { store, clock } = options;
  let firstSignUp: Promise<unknown> = Promise.resolve();
  return async ({ invitation, ...input }, headers) => {
    refuseCommon('password', input.password);
    if (options.signup === 'closed' || (await isSignUpClosed(store))) {
      throw new ServiceError('forbidden', 'Sign-up is closed on this server.');
    }
    const taken =
      options.signup === 'invite'
        ? await takeInvitation(store, { code: invitation ?? '', email: input.email, now: clock.now() })
        : undefined;
    if (taken === null) {
      throw new ServiceError('forbidden', 'Sign-up needs a valid invitation for this e-mail address.');
    }
    const signUp = async () => {
      const answer = await translated(async () =>
        (await library()).signUpEmail({ body: input, headers: seenBy(headers), returnHeaders: true }),
      ).catch(async (error: unknown) => {
        // Two sign-ups with the same address may have run at the same time. The library then reports only that it could
        // not write the second account.
        const failed = (error as { body?: { code?: string } }).body?.code === 'FAILED_TO_CREATE_USER';
        if (failed && (await hasAccount(store, input.email))) throw emailTaken(error);
        if (failed)
          throw new ServiceError('unavailable', 'The account could not be stored. Try again.', { cause: error });
        throw error;
      });
      return { user: asUser(answer.response.user), cookies: answer.headers.getSetCookie() };
    };
    try {
      if (!(await isFirstAccount(store))) return await signUp();
      // Until the first account exists, sign-ups run one after the other, so that only one of them becomes admin.
      const inTurn = () => amongNodes(store, signUp);
      const turn = firstSignUp.then(inTurn, inTurn);
      firstSignUp = turn;
      return await turn;
    } catch (error) {
      await taken?.reopenInvitation();
      throw error;
    }
  };
}

/** Runs the work under a lock that all nodes share. On SQLite there is only one node, so no lock is needed. */
function amongNodes<T>(store: Store, work: () => Promise<T>): Promise<T> {
  if (store.dialect.exclusive) return work();
  return store.db.transaction().execute(async (trx) => {
    await store.dialect.lockFirstAccount(trx);
    return work();
  });
}

async function hasAccount(store: Store, email: string): Promise<boolean> {
  const found = await users(store).select('id').where('email', '=', email.toLowerCase()).executeTakeFirst();
  return found !== undefined;
}

/**
 * Deletes accounts that are older than a minute and have no password. A sign-up writes the account first and its
 * password second. If the process was killed in between, the account cannot sign in, and blocks its e-mail address.
 */
async function removeHalfMade(store: Store): Promise<void> {
  const aMinuteAgo = new Date(Date.now() - 60_000);
  await authTables(store.db)
    .deleteFrom('user')
    .where('createdAt', '<', store.dialect.name === 'sqlite' ? aMinuteAgo.toISOString() : aMinuteAgo)
    .where('id', 'not in', (has) => has.selectFrom('account').select('userId'))
    .execute();
}

const users = (store: Store) => authTables(store.db).selectFrom('user');

function refuseCommon(path: string, password: string): void {
  if (isCommonPassword(password)) throw invalid([faultAt(path, 'common_password')]);
}

const emailTaken = (cause: unknown) =>
  new ServiceError('conflict', 'An account with this e-mail address exists already. Sign in instead.', { cause });

const hasCookie = (headers: IncomingHttpHeaders): boolean =>
  /(?:^|;\s*)(?:__Host-)?uptime\.session_token=/.test(headers.cookie ?? '');

/** Returns the headers for better-auth: only the client's cookies and its User-Agent. */
const seenBy = ({ cookie, 'user-agent': program }: IncomingHttpHeaders): Headers =>
  new Headers({ ...(cookie !== undefined && { cookie }), 'user-agent': program?.slice(0, 200) ?? '' });

const asUser = (row: {
  id: string;
  name: string;
  email: string;
  createdAt: Date;
  updatedAt: Date;
  role?: unknown;
}): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role === 'admin' ? 'admin' : 'user',
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** Turns better-auth's refusals into the contract's errors. */
async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { body, statusCode } = error as { body?: { code?: string; message?: string }; statusCode?: number };
    const code = body?.code ?? '';
    if (code.startsWith('USER_ALREADY_EXISTS')) throw emailTaken(error);
    if (statusCode === 401) {
      throw new ServiceError('unauthenticated', 'The e-mail address or the password is wrong.', { cause: error });
    }
    if (statusCode === 400) {
      throw new ServiceError('invalid_request', body?.message ?? 'The request is not valid.', { cause: error });
    }
    throw error;
  }
}
