import type { axios as Axios, Client, crypto as AcmeCrypto, Order } from 'acme-client';
import type { Clock } from '../deps.ts';
import { wait } from '../wait.ts';
import type { OrderProofs } from './order-proofs.ts';
import { openAccount, unknownAccountIn } from './acme-account.ts';
import { boundedRetryAfterMs, limitIn } from './authority-limit.ts';

export interface AcmeOrderOptions {
  directoryUrl: string;
  /** The mail address that the authority may write to; null if there is none. */
  email: string | null;
  /**
   * Reads and writes the key of the account at the authority, as PEM. If there is no key, the order generates a key.
   */
  accountKey: { read(): Promise<string | null>; write(pem: string): Promise<void> };
  /** Where the order publishes its proofs, so that the daemon serves them at `/.well-known/acme-challenge/<token>`. */
  proofs: Pick<OrderProofs, 'show' | 'remove'>;
}

export interface OrderRun {
  /** Aborts the order and all its requests. */
  stop: AbortSignal;
  /**
   * Aborts the order because no page uses the name any more. It has an effect only while the order waits for the
   * authority.
   */
  abandon: AbortSignal;
  /**
   * Called when the authority asks the order for a long wait (see `longWaitMs`), with the end of the wait in epoch
   * milliseconds. Called with null when the order continues.
   */
  onWait: (until: number | null) => void;
}

/**
 * Orders a certificate for a name. Resolves with its key and chain as one PEM. Throws AuthorityLimit if the authority
 * accepts no orders for some time, and the authority's error if it refuses this order.
 */
export type OrderCertificate = (name: string, run: OrderRun) => Promise<string>;

/**
 * The longest time for one request to the authority (`requestTimeoutMs`), and for the authority's decision about an
 * order (`decisionTimeoutMs`). The decision may take longer if the authority asks the order to wait.
 */
const requestTimeoutMs = 15_000;
const decisionTimeoutMs = 120_000;
const firstWaitMs = 250;
const maxWaitMs = 5000;
/** If the authority asks for a longer wait than this, `onWait` is called. */
const longWaitMs = 30_000;
/** The longest time for which an order is polled. Authorities end an order within days. */
export const maxOrderMs = 7 * 86_400_000;

/**
 * Creates a function that orders certificates by ACME (RFC 8555). The function proves with an http-01 challenge that
 * this server serves the name.
 */
export function createOrderCertificate(clock: Clock, options: AcmeOrderOptions): OrderCertificate {
  const { directoryUrl, email, accountKey, proofs } = options;
  let account: Promise<string> | null = null;
  /** Resolves with the account's key. The key is generated only once, even if several orders begin at the same time. */
  const accountPem = (crypto: typeof AcmeCrypto): Promise<string> =>
    (account ??= (async () => {
      const kept = await accountKey.read();
      if (kept !== null) return kept;
      const made = String(await crypto.createPrivateEcdsaKey());
      await accountKey.write(made);
      return made;
    })().catch((error: unknown) => {
      account = null;
      throw error;
    }));

  return async (name, { stop, abandon, onWait }) => {
    // The library is loaded at the first order, because most daemons never order a certificate.
    const { default: acme } = await import('acme-client');
    const client = new acme.Client({ directoryUrl, accountKey: await accountPem(acme.crypto) });
    const requests = takeRequests(acme.axios, clock, stop);
    const wait = { clock, onWait, signal: AbortSignal.any([stop, abandon]), askedWaitMs: requests.askedWaitMs };
    try {
      await openAccount(client, email);
      const order = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] });
      const tokens: string[] = [];
      try {
        await prove(client, order, (token, proof) => {
          tokens.push(token);
          return proofs.show(token, proof);
        });
        await pollOrder(client, order, { ...wait, wanted: ['ready', 'valid'] });
      } finally {
        for (const token of tokens) await proofs.remove(token);
      }
      const [key, csr] = await acme.crypto.createCsr(
        { altNames: [name] },
        String(await acme.crypto.createPrivateEcdsaKey()),
      );
      await client.finalizeOrder(order, csr);
      const made = await pollOrder(client, order, { ...wait, wanted: ['valid'] });
      return `${String(key).trim()}\n${(await client.getCertificate(made)).trim()}\n`;
    } finally {
      requests.release();
    }
  };
}

/** Publishes the proofs that the authority asks for, and tells the authority to check them. */
async function prove(client: Client, order: Order, show: OrderProofs['show']): Promise<void> {
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === 'valid') continue;
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) throw new Error('The certificate authority offers no http-01 challenge for this name.');
    await show(challenge.token, await client.getChallengeKeyAuthorization(challenge));
    await client.completeChallenge(challenge);
  }
}

interface Wait {
  wanted: readonly Order['status'][];
  clock: Clock;
  /** Aborts the wait, so that the order fails. */
  signal: AbortSignal;
  onWait: OrderRun['onWait'];
  /**
   * Returns the remaining wait before the next request to these addresses, in milliseconds. The authority asked for
   * this wait in its last answers.
   */
  askedWaitMs: (urls: readonly string[]) => number;
}

/**
 * Polls until the order has one of the `wanted` statuses, and resolves with the order. If the authority refuses the
 * order, throws an error with the authority's reason.
 */
async function pollOrder(client: Client, order: Order, options: Wait): Promise<Order> {
  const { wanted, clock, signal, onWait, askedWaitMs } = options;
  const expiresAt = Date.parse(order.expires ?? '');
  const endsAt = Math.min(clock.now() + maxOrderMs, Number.isNaN(expiresAt) ? Infinity : expiresAt);
  let untilMonoMs = clock.monotonicMs() + decisionTimeoutMs;
  for (let waitMs = 0; ; waitMs = Math.min(maxWaitMs, Math.max(firstWaitMs, waitMs * 2))) {
    const askedMs = askedWaitMs([order.url, order.finalize]);
    const nextAt = clock.now() + Math.max(waitMs, askedMs);
    if (nextAt > endsAt) throw new Error('The certificate authority did not decide before the end of the order.');
    // Moves the time limit by the wait that the authority asked for, so that this wait does not count as time for the
    // decision.
    untilMonoMs += askedMs;
    if (askedMs > longWaitMs) onWait(nextAt);
    await waited(clock, Math.max(waitMs, askedMs), signal);
    if (askedMs > longWaitMs) onWait(null);
    const now = await client.getOrder(order);
    if (wanted.includes(now.status)) return now;
    if (now.status === 'invalid') throw new Error(await refusal(client, now));
    if (clock.monotonicMs() > untilMonoMs)
      throw new Error('The certificate authority did not decide within two minutes.');
  }
}

/**
 * Returns the reason why the authority refused an order. The error of a challenge says more than the error of the
 * order, so it is preferred.
 */
async function refusal(client: Client, order: Order): Promise<string> {
  const challenges = (await client.getAuthorizations(order)).flatMap((authorization) => authorization.challenges);
  const faults: ({ detail?: unknown } | undefined)[] = [...challenges.map(({ error }) => error), order.error];
  const described = faults.find((fault) => typeof fault?.detail === 'string');
  return typeof described?.detail === 'string' ? described.detail : 'The certificate authority refused the order.';
}

async function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms > 0) await wait(clock, ms, signal);
  signal.throwIfAborted();
}

/**
 * Gives the library's requests a timeout and the abort signal, until `release` is called. All orders share the library,
 * so they must pass the same signal. The requests ask for answers without encoding, and answers are not decoded. The
 * library would decode them with Node's Brotli decoder, which must not see data from strangers (docs/security.md).
 */
function takeRequests(axios: typeof Axios, clock: Clock, signal: AbortSignal) {
  /** For each address: the time on the monotonic clock before which the authority wants no further request. */
  const notBeforeMonoMs = new Map<string, number>();
  // Removes the interceptors with which the library retries requests. Its retries sleep for minutes, cannot be aborted,
  // and lose network errors. This daemon retries failed orders itself (order-attempts.ts).
  axios.interceptors.request.eject(0);
  axios.interceptors.response.eject(0);
  const asking = axios.interceptors.request.use((config) => {
    config.headers.set('accept-encoding', 'identity');
    return Object.assign(config, { signal, timeout: requestTimeoutMs, decompress: false });
  });
  const answered = axios.interceptors.response.use((answer) => {
    const encoding = String(answer.headers['content-encoding'] ?? 'identity');
    if (encoding !== 'identity')
      throw new Error(`The certificate authority's answer is encoded as ${encoding}, which was not asked for.`);
    const fault = limitIn(answer, clock.now()) ?? unknownAccountIn(answer);
    if (fault) throw fault;
    const waitMs = boundedRetryAfterMs(answer.headers['retry-after'], clock.now());
    notBeforeMonoMs.set(answer.config.url ?? '', clock.monotonicMs() + (waitMs ?? 0));
    return answer;
  });
  return {
    askedWaitMs: (urls: readonly string[]) =>
      Math.max(0, ...urls.map((url) => (notBeforeMonoMs.get(url) ?? 0) - clock.monotonicMs())),
    release() {
      axios.interceptors.request.eject(asking);
      axios.interceptors.response.eject(answered);
    },
  };
}
