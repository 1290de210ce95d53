import type { IncomingHttpHeaders } from 'node:http';

/** Who is signed in. */
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
  /** `Set-Cookie` values when the session was prolonged. */
  cookies: string[];
}

export interface OneSession {
  id: string;
  /** As the program that signed in names itself. */
  userAgent?: string | null | undefined;
  expiresAt: Date;
  createdAt: Date;
}

/** Accounts and sessions; the library behind them shows nowhere else. */
export interface Accounts {
  /**
   * Creates an account, the first one as admin. Throws `forbidden` where sign-up is closed or wants an invitation, and
   * `conflict` when the e-mail address is taken.
   */
  signUp(
    input: { name: string; email: string; password: string; invitation?: string | undefined },
    headers: IncomingHttpHeaders,
  ): Promise<SignedIn>;
  /** Throws `unauthenticated` for an unknown address and a wrong password alike. */
  signIn(input: { email: string; password: string }, headers: IncomingHttpHeaders): Promise<SignedIn>;
  /** Ends the session that the headers carry, if any; answers the cookies that remove it. */
  signOut(headers: IncomingHttpHeaders): Promise<string[]>;
  /** The session that the headers carry, or null. */
  session(headers: IncomingHttpHeaders): Promise<Session | null>;
  /**
   * Changes the password of whose session the headers carry; all sessions end, and another begins. Throws
   * `invalid_request` where the current password is not right.
   */
  changePassword(
    input: { currentPassword: string; newPassword: string },
    headers: IncomingHttpHeaders,
  ): Promise<SignedIn>;
  /** The sessions of whose session the headers carry, oldest first. */
  sessions(headers: IncomingHttpHeaders): Promise<OneSession[]>;
  /** Ends one of those sessions; answers whether there was one of that id. */
  endSession(id: string, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Whether the headers carry a session cookie at all, valid or not. */
  hasCookie(headers: IncomingHttpHeaders): boolean;
}
