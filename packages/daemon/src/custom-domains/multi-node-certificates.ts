import type { Clock, Logger } from '../deps.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import { certificateWarnings } from './certificate-warnings.ts';
import { type ParsedCertificate, parseCertificate } from './parsed-certificate.ts';
import type { OrderCertificate } from './acme-order.ts';
import type { OrderTurn } from './order-turn.ts';
import type { DatabaseCertificates } from './database-certificates.ts';
import type { OrderAttempts } from './order-attempts.ts';

export interface MultiNodeCertificatesOptions {
  stored: DatabaseCertificates;
  order: OrderCertificate;
  turn: OrderTurn;
  stopping: AbortSignal;
}

/**
 * Opens the certificates of an installation with several nodes. All nodes serve the certificates. Only the node that
 * has the lease orders new certificates.
 */
export async function openMultiNodeCertificates(
  deps: { clock: Clock; log: Logger },
  { stored, order, turn, stopping }: MultiNodeCertificatesOptions,
): Promise<Certificates> {
  const { clock, log } = deps;
  /** The certificates in the database, even of names that no page uses. */
  const held = new Map<string, ParsedCertificate>();
  let attempts: Record<string, OrderAttempts> = {};
  /** The part that orders certificates; null while this node has no lease and must not order. */
  let orderer: Certificates | null = null;
  /** Aborts when the orderer must end. */
  let mayStillOrder: AbortSignal | null = null;

  const take = (certificates: readonly { name: string; pem: string }[]) => addParsed(held, certificates, log);
  take(await stored.certificates());
  /** The names that pages or the site use. Before the first `maintain`, these are all names with a certificate. */
  let inUse: ReadonlySet<string> = new Set(held.keys());

  const endOrders = async () => {
    const ended = orderer;
    orderer = null;
    await ended?.close();
  };
  const follow = async () => {
    const mayOrder = await turn.take();
    const changes = await stored.refresh();
    take(changes.certificates);
    for (const name of changes.removed) held.delete(name);
    attempts = JSON.parse((await stored.readAttempts()) ?? '{}') as Record<string, OrderAttempts>;
    // If this node lost the lease and took it again, the old orderer stays aborted, and a new orderer replaces it.
    if (!mayOrder || mayStillOrder?.aborted) await endOrders();
    if (mayOrder && !orderer) {
      mayStillOrder = AbortSignal.any([stopping, turn.signal()]);
      orderer = await openCertificates(deps, stored, order, mayStillOrder);
    }
    for (const name of changes.soon) orderer?.orderSoon(name);
  };
  // Several loops call `maintain`. Their calls wait for each other, so that this node never opens two orderers.
  let following = Promise.resolve();
  const followTurn = () => (following = following.then(follow, follow));

  // A domain that moves from one page to another may have no page for a moment. Then its certificate is only hidden,
  // because `refresh` does not return an unchanged certificate again.
  const current = (name: string) => (inUse.has(name) ? held.get(name) : undefined);
  const stateOf: Certificates['stateOf'] = (name) => {
    const expiresAt = current(name)?.expiresAt ?? null;
    const ready = expiresAt !== null && clock.now() < expiresAt;
    return { ready, expiresAt, error: attempts[name]?.error ?? null, wait: orderer?.stateOf(name).wait ?? null };
  };
  return {
    contextOf: (name) => current(name.toLowerCase())?.context ?? null,
    stateOf,
    warnings: () => orderer?.warnings() ?? certificateWarnings([...held.keys()].map(stateOf), null, clock.now()),
    orderSoon(name) {
      const warn = (error: unknown) =>
        log.warn({ domain: name, err: error }, 'the node that orders certificates could not be asked to order sooner');
      void stored.askSoon(name).catch(warn);
    },
    async maintain(wanted, bound) {
      inUse = bound;
      await followTurn();
      await orderer?.maintain(wanted, bound);
    },
    async close() {
      // If `following` rejects, the caller of `maintain` gets the error.
      await following.catch(() => {});
      await endOrders();
      await turn.giveBack();
    },
  };
}

/** Adds the parsed certificates to `held`. Logs the certificates that cannot be used, and leaves them out. */
function addParsed(
  held: Map<string, ParsedCertificate>,
  certificates: readonly { name: string; pem: string }[],
  log: Logger,
): void {
  for (const { name, pem } of certificates) {
    try {
      held.set(name, parseCertificate(name, pem));
    } catch (error) {
      log.warn({ domain: name, err: error }, 'a stored certificate cannot be used');
    }
  }
}
