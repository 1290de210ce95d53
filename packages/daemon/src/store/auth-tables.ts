import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** As much of better-auth's tables as is asked past the library. */
export interface AuthTables {
  user: { id: string; name: string; email: string; role: string; createdAt: Date | string };
  account: { userId: string; providerId: string; password: string | null };
  session: { userId: string };
}

/** better-auth's tables, which are in the store but not among its own. */
export const authTables = (db: Kysely<Tables>) => db as unknown as Kysely<AuthTables>;
