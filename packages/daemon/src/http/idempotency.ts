import { faultAt } from '@uptime/sdk/contract';
import { createHmac, hkdfSync } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { invalid, ServiceError } from '../errors.ts';
import type { Backend } from '../resources/handler.ts';
import { prepare, prepareChange } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { IdempotencyTable, Tables } from '../store/tables.ts';
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
 * returns that answer. A second call with another input throws `conflict`. `store` is the store of the request: its
 * writes wait for the turn of the owner, and may be refused.
 */
export type Once = <T>(
  key: Idempotency,
  input: unknown,
  work: (trx: Transaction<Tables>) => Promise<T>,
  store: Pick<Store, 'write'>,
) => Promise<T>;

/** Creates the function that runs the work of a request once for each idempotency key. */
export function createOnce({ store, deps, digestRequest }: Pick<Backend, 'store' | 'deps' | 'digestRequest'>): Once {
  const statements = prepareStatements(store);
  return ({ owner, operation, key }, input, work, { write }) => {
    const row = { scope: `${owner} ${operation}`, key, owner, request_hash: digestRequest(canonical(input)) };
    return write(async (trx) => {
      const taken = { ...row, now: deps.clock.now() };
      // This insert comes first, so that a second request with the key waits here for the end of the first request, on
      // PostgreSQL too.
      if ((await statements.take(trx, taken)) === 0) {
        const [first] = await statements.firstAnswer(trx, row);
        if (first && first.created_at >= taken.now - answersKeptMs) return repeated(first, row, input) as never;
        await statements.forget(trx, row);
        if ((await statements.take(trx, taken)) === 0) throw new Error('An idempotency key could not be taken.');
      }
      const answer = await work(trx);
      const body = keepAnswer(answer, input);
      await statements.keepAnswer(trx, { ...row, body, bytes: rowBytes + Buffer.byteLength(body) });
      return answer;
    });
  };
}

type AnswerRow = Selectable<IdempotencyTable>;
type Key = Pick<AnswerRow, 'scope' | 'key'>;
type KeptRequest = Key & Pick<AnswerRow, 'owner' | 'request_hash'>;

/** Returns the first answer of a repeated request. Throws `conflict` if the two requests differ. */
function repeated(
  first: Pick<AnswerRow, 'request_hash' | 'body'>,
  again: Pick<AnswerRow, 'request_hash'>,
  input: unknown,
): unknown {
  if (first.request_hash !== again.request_hash)
    throw new ServiceError('conflict', 'This Idempotency-Key was already used with another body.');
  return restoreAnswer(first.body, input);
}

function prepareStatements(store: Store) {
  return {
    /** Takes a key. Changes no row if the key is taken. */
    take: prepareChange(store, (db, { scope, key, owner, request_hash, now }: KeptRequest & { now: number }) =>
      db
        .insertInto('idempotency')
        .values({ scope, key, owner, request_hash, body: '', bytes: 0, created_at: now })
        .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing()),
    ),
    keepAnswer: prepare(store, (db, { scope, key, body, bytes }: Key & Pick<AnswerRow, 'body' | 'bytes'>) =>
      db.updateTable('idempotency').set({ body, bytes }).where('scope', '=', scope).where('key', '=', key),
    ),
    firstAnswer: prepare(store, (db, { scope, key }: Key) =>
      db
        .selectFrom('idempotency')
        .select(['request_hash', 'body', 'created_at'])
        .where('scope', '=', scope)
        .where('key', '=', key),
    ),
    forget: prepare(store, (db, { scope, key }: Key) =>
      db.deleteFrom('idempotency').where('scope', '=', scope).where('key', '=', key),
    ),
  };
}

/** Returns JSON with sorted keys, so that the order of a client's fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
