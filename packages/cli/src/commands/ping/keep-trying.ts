import { ApiError, ConnectionError, TimeoutError } from '@uptime/sdk';
import { CliError } from '../../exit.ts';
import { duration } from '../../times.ts';
import { wait } from '../../wait.ts';

export interface RetryOptions {
  /** How long to retry, in seconds. */
  seconds: number;
  /** How long to wait before the first attempt, because the server asked for it earlier. */
  firstAfterMs?: number;
  signal: AbortSignal;
  say: (text: string) => void;
}

/**
 * Retries with longer and longer delays while the network or the server fails, and obeys Retry-After. When the time for
 * retries is over, throws the last error. If the server asks for a wait beyond that time, throws a CliError at once.
 */
export async function keepTrying<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { seconds, firstAfterMs = 0, signal, say } = options;
  const endMonoMs = performance.now() + seconds * 1000;
  const waitFor = async (delayMs: number, why: string) => {
    if (performance.now() + delayMs > endMonoMs) throw tooLong(delayMs, seconds, why);
    say(`not recorded yet (${why}); retrying in ${duration(delayMs)}`);
    await wait(delayMs, signal);
  };
  if (firstAfterMs > 0) await waitFor(firstAfterMs, 'the server is busy');
  for (let retryDelayMs = 250; ; retryDelayMs = Math.min(retryDelayMs * 2, 5000)) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error)) throw error;
      const retryAfterMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      if (retryAfterMs === 0 && performance.now() + retryDelayMs > endMonoMs) throw error;
      await waitFor(Math.max(retryDelayMs, retryAfterMs), (error as Error).message);
    }
  }
}

const tooLong = (delayMs: number, seconds: number, why: string): CliError =>
  new CliError(
    `the ping is not recorded: ${why}; the server asks to wait ${duration(delayMs)}, but --retry-for allows ${seconds} s`,
    {
      next: `add --retry-for ${Math.min(3600, Math.ceil(delayMs / 1000) + 10)} to wait that long`,
    },
  );

const passes = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429 || error.status === 408));
