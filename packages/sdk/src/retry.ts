import { AbortedError, ApiError, ConnectionError, TimeoutError } from './errors.ts';

const passing = [408, 425, 429, 502, 503, 504];
/** If the server asks for a longer wait, the call fails at once, and the caller may try again later. */
const maxWaitSeconds = 60;

/** Returns the milliseconds to wait before the next attempt; null for a failure that a retry would not fix. */
export function delayAfter(error: unknown, attempt: number): number | null {
  if (error instanceof ApiError) {
    if (!passing.includes(error.status)) return null;
    if (error.retryAfter !== null) return error.retryAfter > maxWaitSeconds ? null : error.retryAfter * 1000;
  } else if (!(error instanceof ConnectionError || error instanceof TimeoutError)) return null;
  // The random wait spreads the retries of clients that failed at the same time.
  return Math.random() * Math.min(8000, 250 * 2 ** attempt);
}

/** Reads a Retry-After header, in seconds or as a date. Returns seconds; null for any other value. */
export function retryAfter(header: string | null): number | null {
  if (!header) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** Resolves after the given time; rejects with {@link AbortedError} as soon as the signal aborts. */
export function wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(aborted(signal));
      else resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener('abort', end);
  });
}

export const aborted = (signal: AbortSignal | undefined) =>
  new AbortedError('The call was aborted.', { cause: signal?.reason });
