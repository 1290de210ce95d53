import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The parts of better-auth's tables that are queried without the library. */
export interface AuthTables {
  user: { id: string; name: string; email: string; role: string; createdAt: Date | string };
  account: { userId: string; providerId: string; password: string | null };
  session: { userId: string };
}

/** For queries of better-auth's tables. They are in the same database, but `Tables` does not list them. */
export const authTables = (db: Kysely<Tables>) => db as unknown as Kysely<AuthTables>;
