import { AbortedError, ApiError, ConnectionError, TimeoutError } from './errors.ts';

const passing = [408, 425, 429, 502, 503, 504];
/** Seconds. A server that asks for a longer wait gets none: the caller decides. */
const longestWait = 60;

/** Milliseconds to wait before the next attempt; null for a failure that another attempt would not mend. */
export function delayAfter(error: unknown, attempt: number): number | null {
  if (error instanceof ApiError) {
    if (!passing.includes(error.status)) return null;
    if (error.retryAfter !== null) return error.retryAfter > longestWait ? null : error.retryAfter * 1000;
  } else if (!(error instanceof ConnectionError || error instanceof TimeoutError)) return null;
  // Full jitter: clients that failed together do not come back together.
  return Math.random() * Math.min(8000, 250 * 2 ** attempt);
}

/** Seconds that a Retry-After header asks for, given in seconds or as a date; null where it says neither. */
export function retryAfter(header: string | null): number | null {
  if (!header) return null;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** Resolves after so many milliseconds; rejects with {@link AbortedError} once the signal ends it. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(aborted(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

export const aborted = (signal: AbortSignal | undefined) =>
  new AbortedError('The call was aborted.', { cause: signal?.reason });
