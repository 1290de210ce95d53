import { ApiError, ConnectionError, TimeoutError } from '@uptime/sdk';
import { setTimeout as wait } from 'node:timers/promises';

export interface Patience {
  /** How long to go on trying. */
  seconds: number;
  signal: AbortSignal;
  say: (text: string) => void;
}

/** Tries again, waiting longer each time, while the network or the server fails; throws the last error when time is up. */
export async function keepTrying<T>(attempt: () => Promise<T>, { seconds, signal, say }: Patience): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (let pause = 250; ; pause = Math.min(pause * 2, 5000)) {
    try {
      return await attempt();
    } catch (error) {
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      const delay = Math.max(pause, asked);
      if (!passes(error) || performance.now() + delay > end) throw error;
      say(`not recorded yet (${(error as Error).message}); trying again`);
      await wait(delay, undefined, { signal });
    }
  }
}

const passes = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429 || error.status === 408));
