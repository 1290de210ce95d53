import type { Clock, Logger } from '../deps.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import { certificateWarnings } from './certificate-warnings.ts';
import { type HeldCertificate, heldCertificate } from './held-certificate.ts';
import type { OrderCertificate } from './order-certificate.ts';
import type { OrderTurn } from './order-turn.ts';
import type { StoredCertificates } from './stored-certificates.ts';
import type { Tries } from './tries.ts';

export interface SharedCertificatesOptions {
  stored: StoredCertificates;
  order: OrderCertificate;
  turn: OrderTurn;
  stopping: AbortSignal;
}

/** Certificates of an installation with several nodes. All nodes serve them, and the one whose turn it is orders them. */
export async function openSharedCertificates(
  deps: { clock: Clock; log: Logger },
  { stored, order, turn, stopping }: SharedCertificatesOptions,
): Promise<Certificates> {
  const { clock, log } = deps;
  const held = new Map<string, HeldCertificate>();
  let tries: Record<string, Tries> = {};
  /** Present while this node orders. */
  let orderer: Certificates | null = null;

  const take = (certificates: readonly { name: string; pem: string }[]) => {
    for (const { name, pem } of certificates) {
      try {
        held.set(name, heldCertificate(name, pem));
      } catch (error) {
        log.warn({ domain: name, err: error }, 'a stored certificate cannot be used');
      }
    }
  };
  take(await stored.certificates());

  const endOrders = async () => {
    const ended = orderer;
    orderer = null;
    await ended?.close();
  };
  const followTurn = async () => {
    const mayOrder = await turn.take();
    const changes = await stored.refresh();
    take(changes.certificates);
    tries = JSON.parse((await stored.readTries()) ?? '{}') as Record<string, Tries>;
    if (!mayOrder) await endOrders();
    else orderer ??= await openCertificates(deps, stored, order, AbortSignal.any([stopping, turn.signal()]));
    for (const name of changes.soon) orderer?.orderSoon(name);
  };

  const stateOf: Certificates['stateOf'] = (name) => {
    const expiresAt = held.get(name)?.expiresAt ?? null;
    const ready = expiresAt !== null && clock.now() < expiresAt;
    return { ready, expiresAt, error: tries[name]?.error ?? null, wait: orderer?.stateOf(name).wait ?? null };
  };
  return {
    contextOf: (name) => held.get(name.toLowerCase())?.context ?? null,
    stateOf,
    warnings: () => orderer?.warnings() ?? certificateWarnings([...held.keys()].map(stateOf), null, clock.now()),
    orderSoon: (name) =>
      void stored
        .askSoon(name)
        .catch((error: unknown) => log.warn({ domain: name, err: error }, 'an order could not be asked for')),
    async maintain(wanted, bound) {
      await followTurn();
      for (const name of held.keys()) if (!bound.has(name)) held.delete(name);
      await orderer?.maintain(wanted, bound);
    },
    async close() {
      await endOrders();
      await turn.giveBack();
    },
  };
}
