import { ApiError, ConnectionError, TimeoutError } from '@uptime/sdk';
import { setTimeout as wait } from 'node:timers/promises';
import { CliError } from '../../exit.ts';
import { duration } from '../../times.ts';

export interface Patience {
  /** How long to go on trying. */
  seconds: number;
  /** Milliseconds to wait before the first try: the server has asked for them already. */
  firstAfterMs?: number;
  signal: AbortSignal;
  say: (text: string) => void;
}

/**
 * Tries again, waiting longer each time, while the network or the server fails; a Retry-After is obeyed. Throws the last
 * error when time is up, and a CliError where the server asks for a longer wait than that.
 */
export async function keepTrying<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { seconds, firstAfterMs = 0, signal, say } = patience;
  const end = performance.now() + seconds * 1000;
  const waitAsked = async (delayMs: number, why: string) => {
    if (performance.now() + delayMs > end) throw tooLong(delayMs, seconds, why);
    say(`not recorded yet (${why}); trying again in ${duration(delayMs)}`);
    await wait(delayMs, undefined, { signal });
  };
  if (firstAfterMs > 0) await waitAsked(firstAfterMs, 'the server is busy');
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error)) throw error;
      const askedMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      if (askedMs === 0 && performance.now() + pauseMs > end) throw error;
      await waitAsked(Math.max(pauseMs, askedMs), (error as Error).message);
    }
  }
}

const tooLong = (delayMs: number, seconds: number, why: string): CliError =>
  new CliError(
    `the ping is not recorded: ${why}; the server asks to wait ${duration(delayMs)}, and --retry-for allows ${seconds} s`,
    {
      next: `add --retry-for ${Math.min(3600, Math.ceil(delayMs / 1000) + 10)} to wait that long`,
    },
  );

const passes = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429 || error.status === 408));
