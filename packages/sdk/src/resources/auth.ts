import type { RequestOptions } from '../options.ts';
import type { Api } from '../request.ts';
import { path } from '../path.ts';
import type { AccountSession, PasswordChangeInput, Session, SignedIn, SignInInput, SignUpInput } from '../types.ts';

/** The signed-in user, and the session's cookie. */
export interface SignedInWithCookie extends SignedIn {
  /** The cookie, for the `session` option of another client. Null in a browser, which hides the cookie from scripts. */
  cookie: string | null;
}

/** Accounts and sessions. */
export const auth = (api: Api) => ({
  /**
   * Creates an account and signs in. Throws `ConflictError` if the e-mail address already has an account.
   *
   * @example
   * const { cookie } = await uptime.auth.signUp({ name: 'Ada', email: 'ada@example.com', password: 'a long secret' });
   * const mine = new Uptime({ session: cookie });
   */
  signUp: (input: SignUpInput, options?: RequestOptions): Promise<SignedInWithCookie> =>
    signIn(api, '/auth/sign-up/email', input, options),

  /**
   * Signs in. Throws `UnauthenticatedError` for a wrong password, and `RateLimitError` after too many attempts.
   *
   * @example
   * const { user, cookie } = await uptime.auth.signIn({ email: 'ada@example.com', password: 'a long secret' });
   */
  signIn: (input: SignInInput, options?: RequestOptions): Promise<SignedInWithCookie> =>
    signIn(api, '/auth/sign-in/email', input, options),

  /**
   * Ends the session of this client.
   *
   * @example
   * await new Uptime({ session: cookie }).auth.signOut();
   */
  signOut: (options?: RequestOptions): Promise<void> =>
    api.send({ method: 'POST', path: '/auth/sign-out', bodyless: true }, options),

  /**
   * Returns the current session; null if the client has no session.
   *
   * @example
   * const session = await uptime.auth.getSession();
   * console.log(session?.user.email);
   */
  getSession: (options?: RequestOptions): Promise<Session | null> => api.send({ path: '/auth/get-session' }, options),

  /**
   * Changes the password of the signed-in user. Ends every other session; this session gets a new cookie. Throws
   * `BadRequestError` if the current password is wrong.
   *
   * @example
   * const change = { currentPassword: 'a long secret', newPassword: 'a longer one' };
   * const { cookie } = await uptime.auth.changePassword(change);
   */
  changePassword: (input: PasswordChangeInput, options?: RequestOptions): Promise<SignedInWithCookie> =>
    signIn(api, '/auth/change-password', input, options),

  /**
   * Lists the sessions of the signed-in user, oldest first.
   *
   * @example
   * for (const { userAgent, createdAt } of await uptime.auth.listSessions()) console.log(userAgent, createdAt);
   */
  listSessions: (options?: RequestOptions): Promise<AccountSession[]> => api.send({ path: '/auth/sessions' }, options),

  /**
   * Ends a session of the signed-in user. Throws `NotFoundError` for an unknown id.
   *
   * @example
   * for (const { id, current } of await uptime.auth.listSessions()) if (!current) await uptime.auth.revokeSession(id);
   */
  revokeSession: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/auth/sessions/${id}`, bodyless: true }, options),
});

async function signIn(api: Api, path: string, body: object, options?: RequestOptions): Promise<SignedInWithCookie> {
  const { data, headers } = await api.answer<SignedIn>({ method: 'POST', path, body }, options);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { ...data, cookie: cookies.join('; ') || null };
}
