import type { IncomingHttpHeaders } from 'node:http';

/** The signed-in user. */
export interface User {
  id: string;
  name: string;
  email: string;
  role: 'admin' | 'user';
  createdAt: Date;
  updatedAt: Date;
}

export interface SignedIn {
  user: User;
  /** `Set-Cookie` values that carry the session. */
  cookies: string[];
}

export interface Session {
  user: User;
  session: OneSession;
  /** Values for `Set-Cookie`, if this request extended the session. */
  cookies: string[];
}

export interface OneSession {
  id: string;
  /** The User-Agent of the program that signed in. */
  userAgent?: string | null | undefined;
  expiresAt: Date;
  createdAt: Date;
}

/** Accounts and sessions. This interface hides the library that implements it (http/accounts.ts). */
export interface Accounts {
  /**
   * Creates an account, the first one as admin. Throws `forbidden` if sign-up is closed or needs an invitation, and
   * `conflict` if the e-mail address is taken.
   */
  signUp(
    input: { name: string; email: string; password: string; invitation?: string | undefined },
    headers: IncomingHttpHeaders,
  ): Promise<SignedIn>;
  /** Throws `unauthenticated` both for an unknown address and a wrong password. */
  signIn(input: { email: string; password: string }, headers: IncomingHttpHeaders): Promise<SignedIn>;
  /** Ends the session in the headers, if any. Returns the cookies that remove it. */
  signOut(headers: IncomingHttpHeaders): Promise<string[]>;
  /** The session in the headers, or null. */
  session(headers: IncomingHttpHeaders): Promise<Session | null>;
  /**
   * Changes the password of the user whose session is in the headers. All sessions end, and a new one begins. Throws
   * `invalid_request` if the current password is wrong.
   */
  changePassword(
    input: { currentPassword: string; newPassword: string },
    headers: IncomingHttpHeaders,
  ): Promise<SignedIn>;
  /** All sessions of the user whose session is in the headers, oldest first. */
  sessions(headers: IncomingHttpHeaders): Promise<OneSession[]>;
  /** Ends a session of the user whose session is in the headers. Returns whether it existed. */
  endSession(id: string, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Whether the headers carry a session cookie at all, valid or not. */
  hasCookie(headers: IncomingHttpHeaders): boolean;
}
