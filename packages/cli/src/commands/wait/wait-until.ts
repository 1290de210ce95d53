import type { Monitor } from '@uptime/sdk';
import type { Connection } from '../../connection.ts';
import { beginWaiting, type Goal, lookAgain, nextLookMs, outcomeOf, type Waiting } from './gate.ts';
import { readAgain } from './read-again.ts';
import { showProgress } from './progress.ts';
import type { WaitClock } from './wait-clock.ts';

export interface Waited {
  waiting: Waiting[];
  outcome: 'reached' | 'gone' | 'paused' | 'timed-out';
}

/**
 * Reads monitors again and again. Ends when all have reached the goal at the same time, when a monitor was deleted or
 * paused, or when the clock is at `endMonoMs`. A restart of the server and a rate limit only delay the next read.
 */
export async function waitUntil(
  monitors: readonly Monitor[],
  goal: Goal,
  { endMonoMs, clock }: { endMonoMs: number; clock: WaitClock },
  connection: Connection,
): Promise<Waited> {
  let waiting = beginWaiting(monitors, goal);
  const ids = waiting.map(({ id }) => id);
  const waitFor = (waitMs: number) =>
    clock.wait(Math.max(0, Math.min(waitMs, endMonoMs - clock.monotonicMs())), connection.signal);
  const progress = await showProgress(connection.io, goal);
  try {
    progress.look(waiting);
    for (;;) {
      const outcome = outcomeOf(waiting);
      if (outcome !== 'waiting') return { waiting, outcome };
      if (clock.monotonicMs() >= endMonoMs) return { waiting, outcome: 'timed-out' };
      await waitFor(nextLookMs(waiting));
      const look = await readAgain(ids, connection);
      if ('monitors' in look) {
        waiting = lookAgain(waiting, look.monitors, goal);
        progress.look(waiting);
      } else {
        progress.failed(look.failed);
        await waitFor(look.retryAfterMs);
      }
    }
  } finally {
    progress.end();
  }
}
