import { faultAt } from '@uptime/sdk/contract';
import { createHmac, hkdfSync } from 'node:crypto';
import type { Transaction } from 'kysely';
import { invalid, ServiceError } from '../errors.ts';
import type { Backend } from '../resources/handler.ts';
import type { Tables } from '../store/tables.ts';
import { keepAnswer, restoreAnswer } from './kept-answer.ts';

/** How long an answer is kept for repeated requests. */
export const answersKeptMs = 24 * 3_600_000;

export interface Idempotency {
  /** The id of the project or account whose request has the key. */
  owner: string;
  operation: string;
  key: string;
}

/** Approximate size of a stored answer's row, without the text of the answer. */
const rowBytes = 300;

/**
 * Returns a function that makes the digest of a request. The server's secret is the key of the digest. So a reader of
 * the database cannot use the digest to guess a short secret in a request.
 */
export function createRequestDigest(secret: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'uptime requests', 32));
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

/**
 * Returns the `Idempotency-Key` header, or null without one. Throws `invalid_request` if the header is empty, too long
 * or not visible ASCII.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalid([faultAt('Idempotency-Key', 'bad_idempotency_key')]);
}

/**
 * Runs `work` once for each idempotency key. The transaction of `work` also stores a digest of the input, and the
 * answer without the parts that repeat the input (`keepAnswer`). A second call with the same key and the same input
 * returns that answer. A second call with another input throws `conflict`.
 */
export function once<T>(
  { store, deps, digestRequest }: Pick<Backend, 'store' | 'deps' | 'digestRequest'>,
  { owner, operation, key }: Idempotency,
  input: unknown,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const scope = `${owner} ${operation}`;
  const hash = digestRequest(canonical(input));
  return store.write(async (trx) => {
    const now = deps.clock.now();
    const row = { owner, request_hash: hash, status: 0, body: '', bytes: 0, created_at: now };
    // This insert comes first, so that a second request with the key waits here for the end of the first request, on
    // PostgreSQL too. It replaces an answer that is too old.
    const taken = await trx
      .insertInto('idempotency')
      .values({ scope, key, ...row })
      .onConflict((conflict) =>
        conflict
          .columns(['scope', 'key'])
          .doUpdateSet(row)
          .where('idempotency.created_at', '<', now - answersKeptMs),
      )
      .executeTakeFirst();
    if (taken.numInsertedOrUpdatedRows === 0n) {
      return restoreAnswer(await firstAnswer(trx, { scope, key }, hash), input) as T;
    }
    const answer = await work(trx);
    const body = keepAnswer(answer, input);
    await trx
      .updateTable('idempotency')
      .set({ status: 201, body, bytes: rowBytes + Buffer.byteLength(body) })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .execute();
    return answer;
  });
}

async function firstAnswer(
  trx: Transaction<Tables>,
  { scope, key }: { scope: string; key: string },
  hash: string,
): Promise<string> {
  const first = await trx
    .selectFrom('idempotency')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (first.request_hash !== hash) {
    throw new ServiceError('conflict', 'This Idempotency-Key was already used with another body.');
  }
  return first.body;
}

/** Returns JSON with sorted keys, so that the order of a client's fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
