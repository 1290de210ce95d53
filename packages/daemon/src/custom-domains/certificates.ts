import type { SecureContext } from 'node:tls';
import { oneLine } from '../checks/failure.ts';
import type { Clock, Logger } from '../deps.ts';
import { AuthorityLimit } from './authority-limit.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { certificateWarnings } from './certificate-warnings.ts';
import { type CertificateState, type HeldCertificate, heldCertificate } from './held-certificate.ts';
import type { OrderCertificate } from './order-certificate.ts';
import { createOrderLimits, type OrderLimitsState, type OrderWait, type WantedOrder } from './order-limits.ts';
import { addTry, areForgotten, nextTryAt, noTries, type Tries } from './tries.ts';

/** Orders of different names that run at the same time. */
const mostOrders = 4;

export interface Certificates {
  /** The certificate for a handshake with this name; null if there is none. */
  contextOf(name: string): SecureContext | null;
  stateOf(name: string): CertificateState;
  /** Warnings for the operator: failing renewals, and an authority that accepts no orders. */
  warnings(): string[];
  /**
   * Orders certificates that are missing or have lived two thirds of their life, and forgets those outside `bound`. It
   * does not wait for the orders.
   */
  maintain(wanted: Iterable<WantedOrder>, bound: ReadonlySet<string>): Promise<void>;
  /** Lets the next order of a name skip the wait after a failure. The limit per hour still applies. */
  orderSoon(name: string): void;
  /** Aborts running orders. */
  close(): Promise<void>;
}

/** Keeps certificates in memory and in files, and orders new ones in time. */
export async function openCertificates(
  { clock, log }: { clock: Clock; log: Logger },
  files: CertificateFiles,
  order: OrderCertificate,
  stopping: AbortSignal = new AbortController().signal,
): Promise<Certificates> {
  const held = new Map<string, HeldCertificate>();
  const orders = new Map<string, Promise<void>>();
  const waits = new Map<string, OrderWait>();
  const closing = new AbortController();
  const stopped = AbortSignal.any([stopping, closing.signal]);
  const tries = new Map(Object.entries(JSON.parse((await files.readTries()) ?? '{}') as Record<string, Tries>));
  const limits = createOrderLimits(JSON.parse((await files.readLimits()) ?? '{}') as Partial<OrderLimitsState>);
  let bound: ReadonlySet<string> = new Set();

  for (const { name, pem } of await files.certificates()) {
    try {
      held.set(name, heldCertificate(name, pem));
    } catch (error) {
      log.warn({ domain: name, err: error }, 'a stored certificate cannot be used and is ordered again');
    }
  }

  const remember = async (name: string, made: Tries): Promise<void> => {
    tries.set(name, made);
    for (const [other, last] of tries) if (!bound.has(other) && areForgotten(last, clock.now())) tries.delete(other);
    await files.writeTries(`${JSON.stringify(Object.fromEntries(tries))}\n`);
  };
  const rememberLimits = () => files.writeLimits(`${JSON.stringify(limits.state(clock.now()))}\n`);

  const failed = async (name: string, before: Tries, error: unknown): Promise<void> => {
    const made = tries.get(name) ?? before;
    if (stopped.aborted && isCancelled(error, stopped)) return remember(name, { ...made, failures: before.failures });
    tries.set(name, { ...made, error: reasonOf(error) });
    if (error instanceof AuthorityLimit) {
      limits.hold(name, error.waitMs, clock.now());
      log.warn({ domain: name, err: error, waitMs: error.waitMs }, 'the certificate authority asked to wait');
      await rememberLimits();
      return remember(name, { ...made, failures: before.failures, error: reasonOf(error) });
    }
    log.warn({ domain: name, err: error }, 'no certificate could be obtained; it will be tried again');
    return remember(name, { ...made, error: reasonOf(error) });
  };

  const obtain = async (name: string): Promise<void> => {
    const before = tries.get(name) ?? noTries;
    try {
      // Counted before the order, so that a daemon killed in a loop does not order in a loop.
      await rememberLimits();
      await remember(name, addTry({ ...before, failures: before.failures + 1 }, clock.now()));
      const pem = await order(name, stopped);
      const certificate = heldCertificate(name, pem);
      // The page may have been deleted meanwhile, and its files with it.
      if (!bound.has(name)) return;
      await files.writeCertificate(name, pem);
      held.set(name, certificate);
      await remember(name, { ...(tries.get(name) ?? before), failures: 0, error: null });
      log.info({ domain: name, renewAt: new Date(certificate.renewAt).toISOString() }, 'certificate obtained');
    } catch (error) {
      await failed(name, before, error).catch((failure: unknown) =>
        log.error({ domain: name, err: failure }, 'the counts of certificate orders could not be written'),
      );
    }
  };

  /** Renewals come first, so that many new names cannot let a certificate expire. */
  const inTurn = (wanted: Iterable<WantedOrder>): WantedOrder[] => {
    const expiry = ({ name }: WantedOrder) => held.get(name)?.expiresAt ?? Number.MAX_SAFE_INTEGER;
    return [...wanted].toSorted((one, other) => expiry(one) - expiry(other));
  };

  const stateOf = (name: string): CertificateState => {
    const expiresAt = held.get(name)?.expiresAt ?? null;
    return {
      ready: expiresAt !== null && clock.now() < expiresAt,
      expiresAt,
      error: tries.get(name)?.error ?? null,
      wait: waits.get(name) ?? null,
    };
  };

  return {
    contextOf: (name) => held.get(name.toLowerCase())?.context ?? null,
    stateOf,
    warnings: () => certificateWarnings([...held.keys()].map(stateOf), limits.heldUntil(clock.now()), clock.now()),
    orderSoon(name) {
      const made = tries.get(name);
      if (made) tries.set(name, { ...made, failures: 0 });
    },
    async maintain(wanted, names) {
      bound = names;
      for (const name of [...held.keys()].filter((one) => !bound.has(one))) {
        held.delete(name);
        await files.removeCertificate(name);
        log.info({ domain: name }, 'certificate removed: no page uses this domain any more');
      }
      for (const name of waits.keys()) if (!bound.has(name)) waits.delete(name);
      const now = clock.now();
      for (const one of inTurn(wanted)) {
        const { name } = one;
        if (stopped.aborted || orders.size >= mostOrders) return;
        if (orders.has(name) || now < (held.get(name)?.renewAt ?? 0)) continue;
        if (now < nextTryAt(tries.get(name) ?? noTries)) continue;
        // A wait can only get longer.
        if (now < (waits.get(name)?.until ?? 0)) continue;
        const wait = limits.waitOf(one, now);
        if (wait) {
          waits.set(name, wait);
          continue;
        }
        waits.delete(name);
        limits.take(one, now);
        orders.set(
          name,
          obtain(name).finally(() => orders.delete(name)),
        );
      }
    },
    async close() {
      closing.abort(new Error('The daemon is stopping.'));
      await Promise.all(orders.values());
    },
  };
}

/** Whether an order ended because the daemon stops, which is not a failure. */
const isCancelled = (error: unknown, { reason }: AbortSignal): boolean =>
  error === reason || (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_CANCELED');

/** The reason as the page's owner may read it. It must not contain the daemon's paths. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { path, code, message }: NodeJS.ErrnoException = error;
  return path === undefined ? oneLine(message) : `this server could not keep it (${code})`;
}
