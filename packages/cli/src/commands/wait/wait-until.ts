import type { Monitor } from '@uptime/sdk';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../../connection.ts';
import { beginWaiting, type Goal, lookAgain, nextLookMs, outcomeOf, type Waiting } from './gate.ts';
import { readAgain } from './read-again.ts';
import { tellProgress } from './tell-progress.ts';

export interface Waited {
  waiting: Waiting[];
  outcome: 'reached' | 'gone' | 'paused' | 'timed-out';
}

/** The time that a wait goes by. */
export interface WaitClock {
  /** Milliseconds since any fixed point. */
  now: () => number;
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: WaitClock = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
};

/**
 * Reads monitors again and again until all reach the goal at the same time, one is gone or paused, or the clock is at
 * `end`. A restart of the server and a rate limit only delay it.
 */
export async function waitUntil(
  monitors: readonly Monitor[],
  goal: Goal,
  { end, clock }: { end: number; clock: WaitClock },
  connection: Connection,
): Promise<Waited> {
  let waiting = beginWaiting(monitors, goal);
  const ids = waiting.map(({ id }) => id);
  const pauseFor = (milliseconds: number) =>
    clock.pause(Math.max(0, Math.min(milliseconds, end - clock.now())), connection.signal);
  const progress = await tellProgress(connection.io, goal);
  try {
    progress.look(waiting);
    for (;;) {
      const outcome = outcomeOf(waiting);
      if (outcome !== 'waiting') return { waiting, outcome };
      if (clock.now() >= end) return { waiting, outcome: 'timed-out' };
      await pauseFor(nextLookMs(waiting));
      const look = await readAgain(ids, connection);
      if ('monitors' in look) {
        waiting = lookAgain(waiting, look.monitors, goal);
        progress.look(waiting);
      } else {
        progress.failed(look.failed);
        await pauseFor(look.retryAfterMs);
      }
    }
  } finally {
    progress.end();
  }
}
