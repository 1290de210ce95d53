import { hkdfSync } from 'node:crypto';
import type { Store } from './store.ts';

/** A node without a sign of life for this time has left, so its key no longer counts. */
const goneAfterMs = 10_000;

const otherKeyText =
  'The other nodes on this database have another secret key: set UPTIME_SECRET_KEY of this node to theirs, or copy ' +
  'secret.key from the data folder of one of them, and start it again.';

/**
 * Refuses to start a node whose secret key differs from that of the running nodes, because neither could read what the
 * other one encrypts. The database has only fingerprints of keys. Throws an error with a full sentence.
 */
export async function refuseOtherKey(store: Store, node: { instance: string; secret: string }): Promise<void> {
  const { wallClock } = store.dialect;
  if (wallClock === null) return;
  const own = { fingerprint: fingerprintOf(node.secret), started_at: Math.round(await wallClock(store.db)) };
  const isRefused = await store.write(
    async (trx) => {
      // Nodes that start at the same time compare their keys one after another.
      await store.dialect.lockAbsences(trx);
      const others = await trx
        .selectFrom('key_fingerprint as key')
        .leftJoin('presence', 'presence.instance', 'key.instance')
        .select(['key.instance', 'key.started_at', 'presence.alive_at', 'presence.ended_at'])
        .where('key.instance', '!=', node.instance)
        .where('key.fingerprint', '!=', own.fingerprint)
        .execute();
      const isRunning = (other: (typeof others)[number]) =>
        !(other.ended_at !== null && other.ended_at >= other.started_at) &&
        Math.max(other.started_at, other.alive_at ?? 0) > own.started_at - goneAfterMs;
      if (others.some(isRunning)) return true;
      await trx
        .insertInto('key_fingerprint')
        .values({ instance: node.instance, ...own })
        .onConflict((conflict) => conflict.column('instance').doUpdateSet(own))
        .execute();
      return false;
    },
    { durable: false },
  );
  if (isRefused) throw new Error(otherKeyText);
}

/** Returns a fingerprint from which the key cannot be computed (RFC 5869). */
const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'uptime key fingerprint', 16)).toString('hex');
