import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The columns of better-auth's tables that this project reads or writes without better-auth. */
export interface AuthTables {
  user: { id: string; name: string; email: string; role: string; createdAt: Date | string };
  account: { userId: string; providerId: string; password: string | null };
  session: { userId: string };
}

/**
 * Returns the database for queries of better-auth's tables. These tables are in the same database, but `Tables` does
 * not list them.
 */
export const authTables = (db: Kysely<Tables>) => db as unknown as Kysely<AuthTables>;
