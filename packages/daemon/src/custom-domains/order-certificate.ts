import type { axios as Axios, Client, crypto as AcmeCrypto, Order } from 'acme-client';
import type { Clock } from '../deps.ts';
import { limitIn, retryAfterMs } from './authority-limit.ts';

export interface OrderOptions {
  directoryUrl: string;
  /** Whom the authority may write to. */
  email: string | null;
  /** The account's key as PEM; made when there is none. */
  accountKey: { read(): Promise<string | null>; write(pem: string): Promise<void> };
  /** What is answered under `/.well-known/acme-challenge/`, by token, while an order is under way. */
  proofs: Map<string, string>;
}

/**
 * Orders a certificate for a name; answers its key and its chain as one PEM. Throws what the authority said, and an
 * AuthorityLimit when the authority asks to wait.
 */
export type OrderCertificate = (name: string, signal: AbortSignal) => Promise<string>;

/** Milliseconds for one request to the authority, and for it to make up its mind. */
const requestTimeoutMs = 15_000;
const decisionTimeoutMs = 120_000;
const firstPauseMs = 250;
const longestPauseMs = 5000;

/** Orders by ACME (RFC 8555), proving by http-01 that the name is served here. */
export function createOrderCertificate(clock: Clock, options: OrderOptions): OrderCertificate {
  const { directoryUrl, email, accountKey, proofs } = options;
  let account: Promise<string> | null = null;
  /** Made once, however many orders begin at the same time. */
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

  return async (name, signal) => {
    // Loaded at the first order: most daemons never make one.
    const { default: acme } = await import('acme-client');
    const client = new acme.Client({ directoryUrl, accountKey: await accountPem(acme.crypto) });
    const requests = takeRequests(acme.axios, clock, signal);
    const wait = { clock, signal, retryAfter: requests.retryAfter };
    try {
      await client.createAccount({
        termsOfServiceAgreed: true,
        ...(email !== null && { contact: [`mailto:${email}`] }),
      });
      const order = await client.createOrder({ identifiers: [{ type: 'dns', value: name }] });
      const tokens: string[] = [];
      try {
        await prove(client, order, (token, proof) => {
          tokens.push(token);
          proofs.set(token, proof);
        });
        await settled(client, order, { ...wait, wanted: ['ready', 'valid'] });
      } finally {
        for (const token of tokens) proofs.delete(token);
      }
      const [key, csr] = await acme.crypto.createCsr(
        { altNames: [name] },
        String(await acme.crypto.createPrivateEcdsaKey()),
      );
      await client.finalizeOrder(order, csr);
      const made = await settled(client, order, { ...wait, wanted: ['valid'] });
      return `${String(key).trim()}\n${(await client.getCertificate(made)).trim()}\n`;
    } finally {
      requests.release();
    }
  };
}

/** Puts up the proofs that the authority asks for, and tells it to come and see. */
async function prove(client: Client, order: Order, show: (token: string, proof: string) => void): Promise<void> {
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === 'valid') continue;
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) throw new Error('The certificate authority offers no http-01 challenge for this name.');
    show(challenge.token, await client.getChallengeKeyAuthorization(challenge));
    await client.completeChallenge(challenge);
  }
}

interface Wait {
  wanted: readonly Order['status'][];
  clock: Clock;
  signal: AbortSignal;
  /** Milliseconds that the authority asked to wait, in its last answer from this address. */
  retryAfter: (url: string) => number | null;
}

/** Asks until the order is as wanted. Throws with the authority's own words when it will never be. */
async function settled(client: Client, order: Order, { wanted, clock, signal, retryAfter }: Wait): Promise<Order> {
  const until = clock.monotonic() + decisionTimeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const now = await client.getOrder(order);
    if (wanted.includes(now.status)) return now;
    if (now.status === 'invalid') throw new Error(await refusal(client, now));
    if (clock.monotonic() > until) throw new Error('The certificate authority did not decide within two minutes.');
    const left = Math.max(0, until - clock.monotonic());
    await waited(clock, Math.min(retryAfter(order.url) ?? pauseMs, left + firstPauseMs), signal);
  }
}

/** Why an order was refused: the fault of the challenge says more than that of the order. */
async function refusal(client: Client, order: Order): Promise<string> {
  const challenges = (await client.getAuthorizations(order)).flatMap((authorization) => authorization.challenges);
  const faults: ({ detail?: unknown } | undefined)[] = [...challenges.map(({ error }) => error), order.error];
  const told = faults.find((fault) => typeof fault?.detail === 'string');
  return typeof told?.detail === 'string' ? told.detail : 'The certificate authority refused the order.';
}

function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Gives the library's requests a timeout and a way to end them, for as long as until the answer is called. They ask for
 * plain text and decode nothing: it would be done by Node's Brotli, which must not see what strangers send
 * (docs/security.md).
 */
function takeRequests(axios: typeof Axios, clock: Clock, signal: AbortSignal) {
  const waits = new Map<string, number | null>();
  // Its own retries (the first interceptors) sleep for minutes, can't be ended, and lose the error of a network that
  // fails: a failed order is tried again by its own back-off instead.
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
    const limit = limitIn(answer, clock.now());
    if (limit) throw limit;
    waits.set(answer.config.url ?? '', retryAfterMs(answer.headers['retry-after'], clock.now()));
    return answer;
  });
  return {
    retryAfter: (url: string) => waits.get(url) ?? null,
    release() {
      axios.interceptors.request.eject(asking);
      axios.interceptors.response.eject(answered);
    },
  };
}
