import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { invalid, ServiceError } from '../errors.ts';
import type { Backend } from '../resources/handler.ts';
import type { Tables } from '../store/tables.ts';

/** Milliseconds for which an answer is kept for repeated requests. */
const kept = 24 * 3_600_000;

export interface Idempotency {
  /** The key's owner and the operation it was used for. */
  scope: string;
  key: string;
}

/** Reads the `Idempotency-Key` header. Throws `invalid_request` if it is empty, too long or not visible ASCII. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }]);
}

/**
 * Runs `work` once for each idempotency key. The transaction that creates also stores the answer, which the same input
 * gets again. Throws `conflict` if the key comes with another input.
 */
export function once<T>(
  { store, deps }: Pick<Backend, 'store' | 'deps'>,
  { scope, key }: Idempotency,
  input: unknown,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const hash = createHash('sha256').update(canonical(input)).digest('hex');
  return store.write(async (trx) => {
    const now = deps.clock.now();
    await trx
      .deleteFrom('idempotency')
      .where('scope', '=', scope)
      .where('created_at', '<', now - kept)
      .execute();
    // The key is taken first. So a second request waits here until the first is done, on PostgreSQL too.
    const taken = await trx
      .insertInto('idempotency')
      .values({ scope, key, request_hash: hash, status: 0, body: '', created_at: now })
      .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
      .executeTakeFirst();
    if (taken.numInsertedOrUpdatedRows === 0n) return firstAnswer<T>(trx, { scope, key }, hash);
    const answer = await work(trx);
    await trx
      .updateTable('idempotency')
      .set({ status: 201, body: JSON.stringify(answer) })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .execute();
    return answer;
  });
}

async function firstAnswer<T>(trx: Transaction<Tables>, { scope, key }: Idempotency, hash: string): Promise<T> {
  const first = await trx
    .selectFrom('idempotency')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (first.request_hash !== hash) {
    throw new ServiceError('conflict', 'This Idempotency-Key was already used with another body.');
  }
  return JSON.parse(first.body) as T;
}

/** JSON with sorted keys, so that the order of a client's fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
