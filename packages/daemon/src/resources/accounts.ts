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
  /** `Set-Cookie` values that give the client the session. */
  cookies: string[];
}

export interface Session {
  user: User;
  session: OneSession;
  /** `Set-Cookie` values that extend the session in the client; empty if this request did not extend it. */
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
  /** Signs a user in. Throws the same `unauthenticated` for an unknown address as for a wrong password. */
  signIn(input: { email: string; password: string }, headers: IncomingHttpHeaders): Promise<SignedIn>;
  /**
   * Ends the session in the headers, if there is one. Resolves with the `Set-Cookie` values that remove the session
   * from the client.
   */
  signOut(headers: IncomingHttpHeaders): Promise<string[]>;
  /** Resolves with the session in the headers; null if there is none. */
  session(headers: IncomingHttpHeaders): Promise<Session | null>;
  /**
   * Changes the password of the user whose session is in the headers. All sessions end, and a new one begins. Throws
   * `invalid_request` if the current password is wrong.
   */
  changePassword(
    input: { currentPassword: string; newPassword: string },
    headers: IncomingHttpHeaders,
  ): Promise<SignedIn>;
  /** Resolves with all sessions of the user whose session is in the headers, the oldest first. */
  sessions(headers: IncomingHttpHeaders): Promise<OneSession[]>;
  /**
   * Ends the session `id`, which belongs to the user whose session is in the headers. Resolves with whether it existed.
   */
  endSession(id: string, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Whether the headers contain a session cookie, even an invalid one. */
  hasCookie(headers: IncomingHttpHeaders): boolean;
}
