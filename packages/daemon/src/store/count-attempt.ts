import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from './store.ts';

/** How many attempts a caller has made in the present window. */
interface CountedAttempts {
  count: number;
  /** When the window ends, in epoch milliseconds. */
  until: number;
}

/** The clocks of two nodes are assumed to differ by less than this. */
const clockSpreadMs = 5000;

/**
 * Counts an attempt, such as a sign-in, for all nodes together. Returns the number of attempts in the present window.
 * `scope` names the caller and the attempted operation. Only a digest of `scope` is stored. The first attempt begins a
 * window of `windowMs`. A power cut may lose the latest counts.
 */
export async function countAttempt(
  store: Store,
  { scope, now, windowMs }: { scope: string; now: number; windowMs: number },
): Promise<CountedAttempts> {
  const until = now + windowMs;
  // A node whose clock is ahead stores a window that ends too late. So a window is treated as over if it ends much
  // later than a new window would.
  const isOver = sql<boolean>`attempt_count.until <= ${sql.lit(now)} or attempt_count.until > ${sql.lit(until + clockSpreadMs)}`;
  const values = { scope: createHash('sha256').update(scope).digest('base64url'), until, count: 1 };
  return store.write(
    (trx) =>
      trx
        .insertInto('attempt_count')
        .values(values)
        .onConflict((conflict) =>
          conflict.column('scope').doUpdateSet({
            count: sql<number>`case when ${isOver} then 1 else attempt_count.count + 1 end`,
            until: sql<number>`case when ${isOver} then ${sql.lit(until)} else attempt_count.until end`,
          }),
        )
        .returning(['count', 'until'])
        .executeTakeFirstOrThrow(),
    { durable: false },
  );
}

/** Deletes counts whose window has ended. */
export async function forgetAttempts(store: Store, now: number): Promise<void> {
  if (store.dialect.exclusive) return;
  await store.write((trx) => trx.deleteFrom('attempt_count').where('until', '<=', now).execute(), { durable: false });
}
