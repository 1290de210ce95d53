import { oneLine } from '../checks/failure.ts';
import type { Clock, Logger } from '../deps.ts';
import { AuthorityLimit } from './authority-limit.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { type HeldCertificate, heldCertificate } from './held-certificate.ts';
import type { OrderCertificate } from './order-certificate.ts';
import {
  authorityAskedToWait,
  createOrderLimits,
  type OrderLimits,
  type OrderLimitsState,
  type OrderWait,
  type WantedOrder,
} from './order-limits.ts';
import { openTries, type StoredTries } from './stored-tries.ts';
import { addTry, nextTryAt, noTries, type Tries } from './tries.ts';

/**
 * Maximum number of orders, for different names, that run at the same time. Orders that wait for the authority do not
 * count.
 */
const mostOrders = 4;

interface RunningOrder {
  ended: Promise<void>;
  abandon: AbortController;
  /** Until when it waits because the authority asked for it; null while it runs. */
  waitsUntil: number | null;
}

export interface CertificateOrders {
  triesOf(name: string): Tries;
  /** Why the order of a name waits; null if it does not. */
  waitOf(name: string): OrderWait | null;
  /** Until when the authority accepts no orders, if it said so. */
  heldUntil(): ReturnType<OrderLimits['heldUntil']>;
  areFull(): boolean;
  /** Orders a certificate, unless one is being ordered, a failure was recent, or a limit is reached. */
  begin(wanted: WantedOrder): void;
  /** Lets the next order of a name skip the wait after a failure. */
  orderSoon(name: string): void;
  /** Forgets the waits of names that no page uses, and aborts their waiting orders. */
  forgetUnbound(): void;
  /** Waits for running orders. */
  ended(): Promise<void>;
}

export interface OrderOptions {
  order: OrderCertificate;
  stopped: AbortSignal;
  /** Whether a page uses a name. */
  isBound: (name: string) => boolean;
  /** Called with each new certificate after it is stored. */
  onCertificate: (name: string, certificate: HeldCertificate) => void;
}

/**
 * Orders certificates within the authority's limits. Stores the counts of orders, so that the limits hold after a
 * restart too.
 */
export async function openOrders(
  deps: { clock: Clock; log: Logger },
  files: CertificateFiles,
  options: OrderOptions,
): Promise<CertificateOrders> {
  const { clock } = deps;
  const orders = new Map<string, RunningOrder>();
  const waits = new Map<string, OrderWait>();
  const limits = await createOrderLimits(JSON.parse((await files.readLimits()) ?? '{}') as Partial<OrderLimitsState>);
  const tries = await openTries(clock, files, options.isBound);
  const obtain = createObtaining(deps, files, { ...options, tries, limits });

  /** Why the next step of a name's order has to wait. `tries` keeps the authority's wait over a restart. */
  const waitOf = (name: string): OrderWait | null => {
    const running = orders.get(name);
    const until = (running ? running.waitsUntil : tries.of(name).waitsUntil) ?? 0;
    return until > clock.now() ? { until, reason: authorityAskedToWait } : (waits.get(name) ?? null);
  };

  return {
    triesOf: (name) => tries.of(name),
    waitOf,
    heldUntil: () => limits.heldUntil(clock.now()),
    areFull: () => [...orders.values()].filter(({ waitsUntil }) => waitsUntil === null).length >= mostOrders,
    begin(wanted) {
      const { name } = wanted;
      const now = clock.now();
      if (orders.has(name) || now < nextTryAt(tries.of(name))) return;
      // A wait can only get longer.
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
      const made = tries.of(name);
      if (made !== noTries) tries.note(name, { ...made, failures: 0 });
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

/** Creates the function that orders a certificate once, and records how that ended. It never rejects. */
function createObtaining(
  { clock, log }: { clock: Clock; log: Logger },
  files: CertificateFiles,
  options: OrderOptions & { tries: StoredTries; limits: OrderLimits },
): (name: string, running: RunningOrder) => Promise<void> {
  const { order, stopped, isBound, onCertificate, tries, limits } = options;
  const rememberLimits = () => files.writeLimits(`${JSON.stringify(limits.state(clock.now()))}\n`);

  const unwritten = (name: string) => (failure: unknown) =>
    log.error({ domain: name, err: failure }, 'the counts of certificate orders could not be written');

  const failed = async (name: string, before: Tries, error: unknown, ended: AbortSignal): Promise<void> => {
    const made = tries.of(name, before);
    if (ended.aborted && isCancelled(error, ended)) return tries.remember(name, { ...made, failures: before.failures });
    tries.note(name, { ...made, error: reasonOf(error) });
    if (error instanceof AuthorityLimit) {
      limits.hold(name, error.waitMs, clock.now());
      log.warn({ domain: name, err: error, waitMs: error.waitMs }, 'the certificate authority asked to wait');
      await rememberLimits();
      return tries.remember(name, { ...made, failures: before.failures, error: reasonOf(error) });
    }
    log.warn({ domain: name, err: error }, 'no certificate could be obtained; it will be tried again');
    return tries.remember(name, { ...made, error: reasonOf(error) });
  };

  return async (name, running) => {
    const before = tries.of(name);
    const { signal: abandon } = running.abandon;
    const onWait = (until: number | null) => {
      running.waitsUntil = until;
      if (until === null) return;
      log.info({ domain: name, until: new Date(until).toISOString() }, 'the certificate authority asked to wait');
      tries.remember(name, { ...tries.of(name, before), waitsUntil: until }).catch(unwritten(name));
    };
    try {
      // The order is counted before it begins, so that a daemon that is killed repeatedly does not exceed the limits.
      await rememberLimits();
      await tries.remember(name, addTry({ ...before, failures: before.failures + 1 }, clock.now()));
      const pem = await order(name, { stop: stopped, abandon, onWait });
      const certificate = heldCertificate(name, pem);
      // The page may have been deleted meanwhile, and its files with it.
      if (!isBound(name)) return;
      await files.writeCertificate(name, pem);
      onCertificate(name, certificate);
      await tries.remember(name, { at: tries.of(name, before).at, failures: 0, error: null });
      log.info({ domain: name, renewAt: new Date(certificate.renewAt).toISOString() }, 'certificate obtained');
    } catch (error) {
      await failed(name, before, error, AbortSignal.any([stopped, abandon])).catch(unwritten(name));
    }
  };
}

/** Whether an order ended because the daemon stops or no page uses the name, which is not a failure. */
const isCancelled = (error: unknown, { reason }: AbortSignal): boolean =>
  error === reason || (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_CANCELED');

/** The reason as the page's owner may read it. It must not contain the daemon's paths. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { path, code, message }: NodeJS.ErrnoException = error;
  return path === undefined ? oneLine(message) : `this server could not store the certificate (${code})`;
}
