import type { Store } from '../store/store.ts';

/** Whether the operator closed sign-up. If so, sign-up stays closed after restarts, whatever UPTIME_SIGNUP says. */
export async function isSignUpClosed({ db }: Store): Promise<boolean> {
  return (await db.selectFrom('sign_up_closed').select('since').limit(1).executeTakeFirst()) !== undefined;
}

/** Closes sign-up, or lets UPTIME_SIGNUP decide again. */
export async function setSignUpClosed(store: Store, closed: boolean, now: number): Promise<void> {
  await store.write(async (trx) => {
    await trx.deleteFrom('sign_up_closed').execute();
    if (closed) await trx.insertInto('sign_up_closed').values({ since: now }).execute();
  });
}
