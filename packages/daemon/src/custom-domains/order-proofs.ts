import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';

/** A proof stays in the database for at most this time. An order needs its proof for less. */
const keptMs = 600_000;
/** A longer token is not looked up in the database, because no authority uses such tokens. */
const longestToken = 200;

/** The proofs for the certificate authority, by token. The authority may ask any node for them. */
export interface OrderProofs {
  show(token: string, proof: string): Promise<void>;
  remove(token: string): Promise<void>;
  find(token: string): Promise<string | null>;
}

/** Keeps proofs in memory, and on PostgreSQL also in the database for the other nodes. */
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
