import type { SecureContext } from 'node:tls';
import type { Clock, Logger } from '../deps.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { openOrders } from './certificate-orders.ts';
import { certificateWarnings } from './certificate-warnings.ts';
import { type CertificateState, type ParsedCertificate, parseCertificate } from './parsed-certificate.ts';
import type { OrderCertificate } from './acme-order.ts';
import type { WantedOrder } from './order-limits.ts';

export interface Certificates {
  /** Returns the certificate for a TLS handshake with this name; null if there is none. */
  contextOf(name: string): SecureContext | null;
  stateOf(name: string): CertificateState;
  /** Returns warnings for the operator about failing renewals, and about an authority that accepts no orders. */
  warnings(): string[];
  /**
   * Begins an order for each `wanted` name that has no certificate, or whose certificate has lived two thirds of its
   * life. Does not wait for these orders. Deletes the certificates of all names that are not in `bound`.
   */
  maintain(wanted: Iterable<WantedOrder>, bound: ReadonlySet<string>): Promise<void>;
  /** Makes the next order for a name begin without the wait after a failure. The limit per hour still applies. */
  orderSoon(name: string): void;
  /** Aborts running orders. */
  close(): Promise<void>;
}

/** Opens the part that keeps certificates in memory and in files, and renews them before they expire. */
export async function openCertificates(
  { clock, log }: { clock: Clock; log: Logger },
  files: CertificateFiles,
  order: OrderCertificate,
  stopping: AbortSignal = new AbortController().signal,
): Promise<Certificates> {
  const held = await readHeld(files, log);
  const closing = new AbortController();
  const stopped = AbortSignal.any([stopping, closing.signal]);
  let bound: ReadonlySet<string> = new Set();
  const orders = await openOrders({ clock, log }, files, {
    order,
    stopped,
    isBound: (name) => bound.has(name),
    onCertificate: (name, certificate) => void held.set(name, certificate),
  });

  /**
   * Sorts orders by the expiry of the present certificate; names without a certificate come last. So certificates are
   * renewed in time, however many new names there are.
   */
  const inTurn = (wanted: Iterable<WantedOrder>): WantedOrder[] => {
    const expiry = ({ name }: WantedOrder) => held.get(name)?.expiresAt ?? Number.MAX_SAFE_INTEGER;
    return [...wanted].toSorted((one, other) => expiry(one) - expiry(other));
  };

  const stateOf = (name: string): CertificateState => {
    const expiresAt = held.get(name)?.expiresAt ?? null;
    return {
      ready: expiresAt !== null && clock.now() < expiresAt,
      expiresAt,
      error: orders.attemptsOf(name).error,
      wait: orders.waitOf(name),
    };
  };

  return {
    contextOf: (name) => held.get(name.toLowerCase())?.context ?? null,
    stateOf,
    warnings: () => certificateWarnings([...held.keys()].map(stateOf), orders.heldUntil(), clock.now()),
    orderSoon: (name) => orders.orderSoon(name),
    async maintain(wanted, names) {
      bound = names;
      for (const name of [...held.keys()].filter((one) => !bound.has(one))) {
        held.delete(name);
        await files.removeCertificate(name);
        log.info({ domain: name }, 'certificate removed: no page uses this domain any more');
      }
      orders.forgetUnbound();
      const now = clock.now();
      for (const one of inTurn(wanted)) {
        if (stopped.aborted || orders.areFull()) return;
        if (now >= (held.get(one.name)?.renewAt ?? 0)) orders.begin(one);
      }
    },
    async close() {
      closing.abort(new Error('The daemon is stopping.'));
      await orders.ended();
    },
  };
}

/** Returns the stored certificates by their names. Skips certificates that cannot be read. */
async function readHeld(files: CertificateFiles, log: Logger): Promise<Map<string, ParsedCertificate>> {
  const held = new Map<string, ParsedCertificate>();
  for (const { name, pem } of await files.certificates()) {
    try {
      held.set(name, parseCertificate(name, pem));
    } catch (error) {
      log.warn({ domain: name, err: error }, 'a stored certificate cannot be used and is ordered again');
    }
  }
  return held;
}
