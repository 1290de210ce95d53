/** Orders wait this long if the authority limits them and does not say for how long. */
const defaultWaitMs = 3_600_000;
/**
 * A longer wait is cut to this. Authorities ask for days at most, and a wrong header could lead to a time that no date
 * can have.
 */
const longestWaitMs = 30 * 86_400_000;

/**
 * The error of an order if the certificate authority accepts no orders for some time. The name of the order is not the
 * cause.
 */
export class AuthorityLimit extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.name = 'AuthorityLimit';
    this.waitMs = waitMs;
  }
}

/** The parts of the authority's answer that may postpone orders. */
interface Answer {
  status: number;
  data: unknown;
  headers: Record<string, unknown>;
}

/** Returns the limit that an answer reports (RFC 8555, 6.6); null for every other answer. */
export function limitIn({ status, data, headers }: Answer, now: number): AuthorityLimit | null {
  if (status < 400) return null;
  const { type, detail } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const limited = status === 429 || type === 'urn:ietf:params:acme:error:rateLimited';
  if (!limited && !(status === 503 && waitMs !== null)) return null;
  const words = typeof detail === 'string' ? detail : `The certificate authority answered with status ${status}.`;
  return new AuthorityLimit(words, waitMs ?? defaultWaitMs);
}

/**
 * Returns the wait of a `Retry-After` header, which has seconds or a date. It is at most 30 days; null if the header is
 * missing or malformed.
 */
export function retryAfterMs(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, longestWaitMs);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), longestWaitMs);
}
