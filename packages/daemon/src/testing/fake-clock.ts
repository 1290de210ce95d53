import type { Clock, SteadyClock } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';

export interface FakeClock extends SteadyClock {
  /** Moves time forward, and calls the timers that become due, in order. */
  advance(ms: number): Promise<void>;
  /** Lets time pass without calling timers, as when the process is stopped or stalls. Timers then fire late. */
  jump(ms: number): void;
  /** The number of waiting timers. */
  waiting(): number;
  /**
   * Sets the wall clock forward by `byMs`, or back if `byMs` is negative. To a process, a suspension of the machine
   * looks like a step forward, because the monotonic clock stops during the suspension.
   */
  setWall(byMs: number): void;
  /** The wall clock, in epoch milliseconds. */
  wall(): number;
  /** Returns the clock that a process would have if it started on this machine now. */
  restarted(): FakeClock;
}

/**
 * Creates the steady clock of a simulated machine. Time passes only when the test moves it. `start` is the wall time at
 * the beginning, in epoch milliseconds.
 */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let wall = start;
  let monoMs = 0;
  const timers = new Set<{ atMonoMs: number; call: () => void }>();
  const machine: Clock = {
    now: () => wall,
    monotonicMs: () => monoMs,
    after(ms, call) {
      const timer = { atMonoMs: monoMs + Math.max(0, ms), call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const restarted = (): FakeClock => ({
    ...createSteadyClock(machine),
    wall: () => wall,
    restarted,
    async advance(ms) {
      const endMonoMs = monoMs + ms;
      await settle();
      for (;;) {
        const next = [...timers]
          .filter((timer) => timer.atMonoMs <= endMonoMs)
          .toSorted((a, b) => a.atMonoMs - b.atMonoMs)[0];
        if (!next) break;
        timers.delete(next);
        const step = Math.max(0, next.atMonoMs - monoMs);
        wall += step;
        monoMs += step;
        next.call();
        await settle();
      }
      // A timer may have called `jump`, so the time may already be later than the end.
      const rest = Math.max(0, endMonoMs - monoMs);
      wall += rest;
      monoMs += rest;
    },
    waiting: () => timers.size,
    setWall(byMs) {
      wall += byMs;
    },
    jump(ms) {
      wall += ms;
      monoMs += ms;
    },
  });
  return restarted();
}

/** Lets pending work finish: promises, and a few turns of the event loop for commits. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
