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
  session: { id: string; expiresAt: Date; createdAt: Date };
  /** `Set-Cookie` values when the session was prolonged. */
  cookies: string[];
}

/** Accounts and sessions; the library behind them shows nowhere else. */
export interface Accounts {
  /** Creates an account, the first one as admin. Throws `conflict` when the e-mail address is taken. */
  signUp(input: { name: string; email: string; password: string }, headers: IncomingHttpHeaders): Promise<SignedIn>;
  /** Throws `unauthenticated` for an unknown address and a wrong password alike. */
  signIn(input: { email: string; password: string }, headers: IncomingHttpHeaders): Promise<SignedIn>;
  /** Ends the session that the headers carry, if any; answers the cookies that remove it. */
  signOut(headers: IncomingHttpHeaders): Promise<string[]>;
  /** The session that the headers carry, or null. */
  session(headers: IncomingHttpHeaders): Promise<Session | null>;
  /** Whether the headers carry a session cookie at all, valid or not. */
  hasCookie(headers: IncomingHttpHeaders): boolean;
}
