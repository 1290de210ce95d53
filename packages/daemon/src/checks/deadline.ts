import type { Clock } from '../deps.ts';

/** Why a check was interrupted: its timeout, a stall of the event loop, or an abort. */
export type Interruption = 'timeout' | 'stalled' | 'aborted';

export interface Deadline {
  /**
   * Sets the function to call once, when the check is interrupted. If the check is interrupted already, calls it at
   * once. Each phase of a check sets its own function, which replaces the function of the previous phase.
   *
   * This is a method, not a property, to save memory. If code assigns a function to a property, V8 creates the function
   * in its old generation. All objects of the check would then stay in memory until the next full garbage collection.
   */
  onInterrupt(call: (why: Interruption) => void): void;
  /** Removes the function that `onInterrupt` set. Each phase calls this at its end. */
  offInterrupt(): void;
  /** Why the check was interrupted; null while it may go on. */
  over: Interruption | null;
  /** How long the event loop is known to have stalled since the start. */
  lagMs(): number;
  end(): void;
}

/**
 * Time between wake-ups, which reveal stalls that end before the deadline. Quick checks end before the first wake-up.
 */
const sliceMs = 250;
/** If a timer is late by at most this time, the process is busy but not stalled. */
const toleratedMs = 100;
/** Longest time that a stall adds to the timeout. A check must end at most a second after its timeout. */
const stallGraceMs = 900;

/**
 * Starts a deadline that notices when its timers fire late. After a stall, timers run before sockets are read, so a
 * plain timeout would blame a target that answered long ago. Therefore the deadline adds the lost time once. A check
 * that could listen for less than 95 % of its timeout ends as `stalled`. Each wake-up before the end calls
 * `stillWaiting`.
 */
export function startDeadline(
  clock: Clock,
  timeoutMs: number,
  signal?: AbortSignal,
  stillWaiting?: () => void,
): Deadline {
  const startedMonoMs = clock.monotonicMs();
  let dueMonoMs = startedMonoMs + timeoutMs;
  let wakeMonoMs = 0;
  let lostMs = 0;
  let extended = false;
  let interrupt: ((why: Interruption) => void) | null = null;
  let cancel: () => void;

  const lateMs = () => Math.max(0, clock.monotonicMs() - wakeMonoMs - toleratedMs);
  const arm = (nowMonoMs: number) => {
    const waitMs = Math.min(sliceMs, dueMonoMs - nowMonoMs);
    wakeMonoMs = nowMonoMs + waitMs;
    cancel = clock.after(waitMs, tick);
  };
  const deadline: Deadline = {
    over: null,
    onInterrupt(call) {
      if (deadline.over) call(deadline.over);
      else interrupt = call;
    },
    offInterrupt() {
      interrupt = null;
    },
    lagMs: () => lostMs + lateMs(),
    end: () => cancel(),
  };
  const tick = () => {
    const oversleptMs = lateMs();
    if (oversleptMs > 0) lostMs += oversleptMs + toleratedMs;
    const nowMonoMs = clock.monotonicMs();
    if (signal?.aborted) return finish('aborted');
    if (nowMonoMs < dueMonoMs) {
      stillWaiting?.();
      return arm(nowMonoMs);
    }
    if (lostMs > 0 && !extended) {
      extended = true;
      dueMonoMs = nowMonoMs + Math.min(lostMs, stallGraceMs);
      return arm(nowMonoMs);
    }
    finish(nowMonoMs - startedMonoMs - lostMs < timeoutMs * 0.95 ? 'stalled' : 'timeout');
  };
  const finish = (why: Interruption) => {
    deadline.over = why;
    interrupt?.(why);
  };
  arm(startedMonoMs);
  return deadline;
}
