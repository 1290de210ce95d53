import { hkdfSync } from 'node:crypto';
import type { Store } from './store.ts';

/**
 * A node that has given no sign of life for this time is treated as stopped. Other nodes may then start with another
 * key.
 */
const goneAfterMs = 10_000;

const otherKeyText =
  'The other nodes on this database have another secret key: set UPTIME_SECRET_KEY of this node to theirs, or copy ' +
  'secret.key from the data folder of one of them, and start this node again.';

/**
 * Throws an error, which says what to do, if the secret key of this node differs from the key of the running nodes.
 * Nodes with different keys could not read what the other nodes encrypt. The database contains only fingerprints of
 * keys.
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
