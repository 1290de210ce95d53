import { authTables } from '../store/auth-tables.ts';
import type { Store } from '../store/store.ts';

/** Whether no account exists yet. The first account becomes admin. */
export async function isFirstAccount({ db }: Store): Promise<boolean> {
  return (await authTables(db).selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined;
}
