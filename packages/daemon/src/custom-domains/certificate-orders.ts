import { oneLine } from '../checks/failure.ts';
import type { Clock, Logger } from '../deps.ts';
import { AuthorityLimit } from './authority-limit.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { type ParsedCertificate, parseCertificate } from './parsed-certificate.ts';
import type { OrderCertificate } from './acme-order.ts';
import {
  authorityAskedToWait,
  createOrderLimits,
  type OrderLimits,
  type OrderLimitsState,
  type OrderWait,
  type WantedOrder,
} from './order-limits.ts';
import { openAttempts, type StoredAttempts } from './stored-attempts.ts';
import { addAttempt, nextAttemptAt, noAttempts, type OrderAttempts } from './order-attempts.ts';

/**
 * Maximum number of orders that run at the same time. An order is not counted during a wait that the authority asked
 * for. A name has only one order at a time.
 */
const maxOrders = 4;

interface RunningOrder {
  ended: Promise<void>;
  abandon: AbortController;
  /** The order waits until this time, because the authority asked it to wait. Null if it does not wait. */
  waitsUntil: number | null;
}

export interface CertificateOrders {
  attemptsOf(name: string): OrderAttempts;
  /** Returns why the order for a name waits, and when the wait ends; null if the order does not wait. */
  waitOf(name: string): OrderWait | null;
  /** Returns the time when the authority accepts orders again; null if it accepts them now. */
  heldUntil(): ReturnType<OrderLimits['heldUntil']>;
  areFull(): boolean;
  /**
   * Orders a certificate, unless an order for the name is running, the last failure was recent, or a limit is reached.
   */
  begin(wanted: WantedOrder): void;
  /** Makes the next order for a name begin without the wait after a failure. */
  orderSoon(name: string): void;
  /**
   * For names that no page uses any more: forgets their waits. Also aborts their orders that wait because the authority
   * asked them to wait.
   */
  forgetUnbound(): void;
  /** Waits until all running orders have ended. */
  ended(): Promise<void>;
}

export interface CertificateOrdersOptions {
  order: OrderCertificate;
  stopped: AbortSignal;
  /** Whether a page uses a name. */
  isBound: (name: string) => boolean;
  /** Called with each new certificate after it is stored. */
  onCertificate: (name: string, certificate: ParsedCertificate) => void;
}

/**
 * Opens the part that orders certificates within the authority's limits. It stores the counts of orders, so that a
 * restart does not reset the limits.
 */
export async function openOrders(
  deps: { clock: Clock; log: Logger },
  files: CertificateFiles,
  options: CertificateOrdersOptions,
): Promise<CertificateOrders> {
  const { clock } = deps;
  const orders = new Map<string, RunningOrder>();
  const waits = new Map<string, OrderWait>();
  const limits = await createOrderLimits(JSON.parse((await files.readLimits()) ?? '{}') as Partial<OrderLimitsState>);
  const attempts = await openAttempts(clock, files, options.isBound);
  const obtain = createObtaining(deps, files, { ...options, attempts, limits });

  /**
   * Returns why the order for a name waits, and when the wait ends; null if the order does not wait. If no order runs,
   * as after a restart, the wait that the authority asked for is in `attempts`.
   */
  const waitOf = (name: string): OrderWait | null => {
    const running = orders.get(name);
    const until = (running ? running.waitsUntil : attempts.of(name).waitsUntil) ?? 0;
    return until > clock.now() ? { until, reason: authorityAskedToWait } : (waits.get(name) ?? null);
  };

  return {
    attemptsOf: (name) => attempts.of(name),
    waitOf,
    heldUntil: () => limits.heldUntil(clock.now()),
    areFull: () => [...orders.values()].filter(({ waitsUntil }) => waitsUntil === null).length >= maxOrders,
    begin(wanted) {
      const { name } = wanted;
      const now = clock.now();
      if (orders.has(name) || now < nextAttemptAt(attempts.of(name))) return;
      // If the name already waits because of a limit, its wait is not computed again, because a wait never becomes
      // shorter.
      if (now < (waits.get(name)?.until ?? 0)) return;
      const wait = limits.waitOf(wanted, now);
      if (wait) {
        waits.set(name, wait);
        return;
      }
      waits.delete(name);
      limits.take(wanted, now);
      const running: RunningOrder = { abandon: new AbortController(), waitsUntil: null, ended: Promise.resolve() };
      orders.set(name, running);
      running.ended = obtain(name, running).finally(() => orders.delete(name));
    },
    orderSoon(name) {
      const made = attempts.of(name);
      if (made !== noAttempts) attempts.note(name, { ...made, failures: 0 });
    },
    forgetUnbound() {
      for (const name of waits.keys()) if (!options.isBound(name)) waits.delete(name);
      for (const [name, { abandon, waitsUntil }] of orders) {
        if (!options.isBound(name) && waitsUntil !== null)
          abandon.abort(new Error('No page uses this domain any more.'));
      }
    },
    async ended() {
      await Promise.all([...orders.values()].map(({ ended }) => ended));
    },
  };
}

/**
 * Creates a function that orders a certificate once, and records whether the order succeeded. The function never
 * rejects.
 */
function createObtaining(
  { clock, log }: { clock: Clock; log: Logger },
  files: CertificateFiles,
  options: CertificateOrdersOptions & { attempts: StoredAttempts; limits: OrderLimits },
): (name: string, running: RunningOrder) => Promise<void> {
  const { order, stopped, isBound, onCertificate, attempts, limits } = options;
  const rememberLimits = () => files.writeLimits(`${JSON.stringify(limits.state(clock.now()))}\n`);

  const unwritten = (name: string) => (failure: unknown) =>
    log.error({ domain: name, err: failure }, 'the counts of certificate orders could not be written');

  const failed = async (name: string, before: OrderAttempts, error: unknown, ended: AbortSignal): Promise<void> => {
    const made = attempts.of(name, before);
    if (ended.aborted && isCancelled(error, ended))
      return attempts.remember(name, { ...made, failures: before.failures });
    attempts.note(name, { ...made, error: reasonOf(error) });
    if (error instanceof AuthorityLimit) {
      limits.hold(name, error.waitMs, clock.now());
      log.warn({ domain: name, err: error, waitMs: error.waitMs }, 'the certificate authority asked to wait');
      await rememberLimits();
      return attempts.remember(name, { ...made, failures: before.failures, error: reasonOf(error) });
    }
    log.warn({ domain: name, err: error }, 'no certificate could be obtained; the daemon will try again');
    return attempts.remember(name, { ...made, error: reasonOf(error) });
  };

  return async (name, running) => {
    const before = attempts.of(name);
    const { signal: abandon } = running.abandon;
    const onWait = (until: number | null) => {
      running.waitsUntil = until;
      if (until === null) return;
      log.info({ domain: name, until: new Date(until).toISOString() }, 'the certificate authority asked to wait');
      attempts.remember(name, { ...attempts.of(name, before), waitsUntil: until }).catch(unwritten(name));
    };
    try {
      // Counts the order before it begins. So the limits hold even if the daemon is killed again and again during its
      // orders.
      await rememberLimits();
      await attempts.remember(name, addAttempt({ ...before, failures: before.failures + 1 }, clock.now()));
      const pem = await order(name, { stop: stopped, abandon, onWait });
      const certificate = parseCertificate(name, pem);
      // If the page was deleted during the order, the certificate must not be stored.
      if (!isBound(name)) return;
      await files.writeCertificate(name, pem);
      onCertificate(name, certificate);
      await attempts.remember(name, { at: attempts.of(name, before).at, failures: 0, error: null });
      log.info({ domain: name, renewAt: new Date(certificate.renewAt).toISOString() }, 'certificate obtained');
    } catch (error) {
      await failed(name, before, error, AbortSignal.any([stopped, abandon])).catch(unwritten(name));
    }
  };
}

/**
 * Whether an order was aborted, because the daemon stops or because no page uses the name any more. Such an order does
 * not count as a failure.
 */
const isCancelled = (error: unknown, { reason }: AbortSignal): boolean =>
  error === reason || (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_CANCELED');

/** Returns why an order failed. The owner of the page sees this text, so it must not contain paths of the server. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { path, code, message }: NodeJS.ErrnoException = error;
  return path === undefined ? oneLine(message) : `this server could not store the certificate (${code})`;
}
