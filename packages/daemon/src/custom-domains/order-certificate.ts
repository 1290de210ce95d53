import type { axios as Axios, Client, crypto as AcmeCrypto, Order } from 'acme-client';
import type { Clock } from '../deps.ts';
import { wait } from '../wait.ts';
import { limitIn, retryAfterMs } from './authority-limit.ts';

export interface OrderOptions {
  directoryUrl: string;
  /** The address for mail from the authority. */
  email: string | null;
  /** The account's key as PEM; generated if there is none. */
  accountKey: { read(): Promise<string | null>; write(pem: string): Promise<void> };
  /** The content of `/.well-known/acme-challenge/` during an order, by token. */
  proofs: Map<string, string>;
}

/**
 * Orders a certificate for a name. Resolves with its key and chain as one PEM. Throws the authority's error, and an
 * AuthorityLimit if the authority asks to wait.
 */
export type OrderCertificate = (name: string, signal: AbortSignal) => Promise<string>;

/** Time for one request to the authority, and for its decision. */
const requestTimeoutMs = 15_000;
const decisionTimeoutMs = 120_000;
const firstPauseMs = 250;
const longestPauseMs = 5000;

/** Orders by ACME (RFC 8555), proving by http-01 that the name is served here. */
export function createOrderCertificate(clock: Clock, options: OrderOptions): OrderCertificate {
  const { directoryUrl, email, accountKey, proofs } = options;
  let account: Promise<string> | null = null;
  /** Generated once, even if several orders begin at the same time. */
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
    // Loaded at the first order, because most daemons never make one.
    const { default: acme } = await import('acme-client');
    const client = new acme.Client({ directoryUrl, accountKey: await accountPem(acme.crypto) });
    const requests = takeRequests(acme.axios, clock, signal);
    const wait = { clock, signal, retryAfterMs: requests.retryAfterMs };
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

/** Publishes the proofs that the authority asks for, and tells it to check them. */
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
  /** Time that the authority asked to wait, in its last answer from this address. */
  retryAfterMs: (url: string) => number | null;
}

/** Polls until the order has the wanted status. Throws with the authority's own words if it never will. */
async function settled(client: Client, order: Order, { wanted, clock, signal, retryAfterMs }: Wait): Promise<Order> {
  const until = clock.monotonicMs() + decisionTimeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const now = await client.getOrder(order);
    if (wanted.includes(now.status)) return now;
    if (now.status === 'invalid') throw new Error(await refusal(client, now));
    if (clock.monotonicMs() > until) throw new Error('The certificate authority did not decide within two minutes.');
    const left = Math.max(0, until - clock.monotonicMs());
    await waited(clock, Math.min(retryAfterMs(order.url) ?? pauseMs, left + firstPauseMs), signal);
  }
}

/** Why an order was refused. The challenge's error says more than the order's. */
async function refusal(client: Client, order: Order): Promise<string> {
  const challenges = (await client.getAuthorizations(order)).flatMap((authorization) => authorization.challenges);
  const faults: ({ detail?: unknown } | undefined)[] = [...challenges.map(({ error }) => error), order.error];
  const told = faults.find((fault) => typeof fault?.detail === 'string');
  return typeof told?.detail === 'string' ? told.detail : 'The certificate authority refused the order.';
}

async function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await wait(clock, ms, signal);
  signal.throwIfAborted();
}

/**
 * Gives the library's requests a timeout and an abort, until the returned function is called. The requests ask for
 * plain text and decode nothing, because the library would use Node's Brotli, which must not see data from strangers
 * (docs/security.md).
 */
function takeRequests(axios: typeof Axios, clock: Clock, signal: AbortSignal) {
  const waits = new Map<string, number | null>();
  // The library's own retries (the first interceptors) sleep for minutes, cannot be aborted, and lose network errors.
  // Failed orders are retried with our own back-off instead.
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
    retryAfterMs: (url: string) => waits.get(url) ?? null,
    release() {
      axios.interceptors.request.eject(asking);
      axios.interceptors.response.eject(answered);
    },
  };
}
