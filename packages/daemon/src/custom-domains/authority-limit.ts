import { readRetryAfterMs } from '../core/retry-after.ts';

/** How long orders wait if the authority accepts no orders and does not say for how long. */
const defaultWaitMs = 3_600_000;
/**
 * Longest wait. If the authority asks for more, orders wait for this time. Authorities ask for days at most. But a
 * wrong header could ask for a wait that ends too late for a JavaScript date.
 */
const maxWaitMs = 30 * 86_400_000;

/**
 * The error of an order that failed because the certificate authority accepts no orders for some time. The name in the
 * order is not the cause.
 */
export class AuthorityLimit extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.name = 'AuthorityLimit';
    this.waitMs = waitMs;
  }
}

/** The parts of an authority's answer that say whether it accepts orders. */
interface Answer {
  status: number;
  data: unknown;
  headers: Record<string, unknown>;
}

/**
 * Returns the error for an answer which says that the authority accepts no orders for some time (RFC 8555, 6.6).
 * Returns null for every other answer.
 */
export function limitIn({ status, data, headers }: Answer, now: number): AuthorityLimit | null {
  if (status < 400) return null;
  const { type, detail } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const waitMs = boundedRetryAfterMs(headers['retry-after'], now);
  const limited = status === 429 || type === 'urn:ietf:params:acme:error:rateLimited';
  if (!limited && !(status === 503 && waitMs !== null)) return null;
  const words = typeof detail === 'string' ? detail : `The certificate authority answered with status ${status}.`;
  return new AuthorityLimit(words, waitMs ?? defaultWaitMs);
}

/**
 * Returns the wait that a `Retry-After` header asks for, in milliseconds. Returns at most 30 days. Returns null if the
 * header asks for no wait.
 */
export function boundedRetryAfterMs(header: unknown, now: number): number | null {
  const waitMs = readRetryAfterMs(header, now);
  return waitMs === null ? null : Math.min(waitMs, maxWaitMs);
}
