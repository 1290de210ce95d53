import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import { maxOrderMs } from './acme-order.ts';

/** If the node that runs an order is killed, the order's proof stays in the database for at least this time. */
const keptMs = maxOrderMs + 600_000;
/**
 * Longest token that is looked up in the database. No authority uses longer tokens, so a longer one comes from a
 * stranger.
 */
const maxTokenLength = 200;

/**
 * The proofs by which the certificate authority sees that this server serves a name. Each proof has a token. The
 * authority may request the proofs from any node.
 */
export interface OrderProofs {
  show(token: string, proof: string): Promise<void>;
  remove(token: string): Promise<void>;
  find(token: string): Promise<string | null>;
}

/**
 * Creates the storage of proofs. It is in memory, and on PostgreSQL also in the database, so that other nodes can serve
 * the proofs.
 */
export function createOrderProofs(store: Store, clock: Pick<Clock, 'now'>): OrderProofs {
  const own = new Map<string, string>();
  const isShared = !store.dialect.exclusive;
  return {
    async show(token, proof) {
      own.set(token, proof);
      if (!isShared) return;
      const now = clock.now();
      await store.write(async (trx) => {
        await trx.deleteFrom('certificate_proof').where('until', '<=', now).execute();
        const row = { proof, until: now + keptMs };
        await trx
          .insertInto('certificate_proof')
          .values({ token, ...row })
          .onConflict((conflict) => conflict.column('token').doUpdateSet(row))
          .execute();
      });
    },
    async remove(token) {
      own.delete(token);
      if (isShared)
        await store.write((trx) => trx.deleteFrom('certificate_proof').where('token', '=', token).execute());
    },
    async find(token) {
      const found = own.get(token);
      if (found !== undefined || !isShared || token.length > maxTokenLength) return found ?? null;
      const row = await store.db
        .selectFrom('certificate_proof')
        .select('proof')
        .where('token', '=', token)
        .executeTakeFirst();
      return row?.proof ?? null;
    },
  };
}
