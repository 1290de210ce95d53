/**
 * Returns the wait that a `Retry-After` header asks for, in milliseconds. The header contains seconds or a date (RFC
 * 9110, 10.2.3). A date in the past means 0. Returns null if the header is missing or malformed.
 */
export function readRetryAfterMs(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  // Date.parse also reads numbers such as `-5` as dates. A date of HTTP begins with the day of the week.
  const date = /^[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
