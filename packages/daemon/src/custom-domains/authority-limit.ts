/** Time to wait when the authority limits orders and does not say for how long. */
const defaultWaitMs = 3_600_000;
/** Authorities ask for days at most. A wrong header must not lead to a time beyond the range of dates. */
const longestWaitMs = 30 * 86_400_000;

/** The certificate authority accepts no orders for some time. The name is not at fault. */
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

/** The limit in an answer (RFC 8555, 6.6); null for every other answer. */
export function limitIn({ status, data, headers }: Answer, now: number): AuthorityLimit | null {
  if (status < 400) return null;
  const { type, detail } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const waitMs = retryAfterMs(headers['retry-after'], now);
  const limited = status === 429 || type === 'urn:ietf:params:acme:error:rateLimited';
  if (!limited && !(status === 503 && waitMs !== null)) return null;
  const words = typeof detail === 'string' ? detail : `The certificate authority answered with status ${status}.`;
  return new AuthorityLimit(words, waitMs ?? defaultWaitMs);
}

/** Time of a `Retry-After` header, in seconds or as a date, at most 30 days; null if it is missing or malformed. */
export function retryAfterMs(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, longestWaitMs);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), longestWaitMs);
}
