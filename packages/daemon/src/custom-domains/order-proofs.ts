import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';

/** A proof is kept for this time. An order takes less. */
const keptMs = 600_000;
/** No authority's token is longer. */
const longestToken = 200;

/** The proofs for the certificate authority, by token. It may ask any node for them. */
export interface OrderProofs {
  show(token: string, proof: string): Promise<void>;
  remove(token: string): Promise<void>;
  find(token: string): Promise<string | null>;
}

/** Proofs in memory, and on PostgreSQL in the database for other nodes. */
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
      if (found !== undefined || !isShared || token.length > longestToken) return found ?? null;
      const row = await store.db
        .selectFrom('certificate_proof')
        .select('proof')
        .where('token', '=', token)
        .executeTakeFirst();
      return row?.proof ?? null;
    },
  };
}
