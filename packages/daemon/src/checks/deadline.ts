import type { Clock } from '../deps.ts';

/** Why a check was cut short: its time was up, the event loop stalled through it, or it was abandoned. */
export type Interruption = 'timeout' | 'stalled' | 'aborted';

export interface Deadline {
  /** Set by the phase in progress; called once, when the time is up. */
  interrupt: ((why: Interruption) => void) | null;
  /** Why time is up, or null while there is some left. */
  over: Interruption | null;
  /** Milliseconds that the event loop is known to have stood still since the start. */
  lag(): number;
  end(): void;
}

/** Waking now and then shows stalls that ended before the deadline; quick checks end before the first. */
const slice = 250;
/** A timer this late is a busy process, not a stalled one. */
const tolerated = 100;
/** What a stall is made good by, at most: a check may outlive its timeout by a second. */
const grace = 900;

/**
 * A deadline that looks at how late it fires. After a stall the timers run before the sockets are read, so a plain
 * timeout would blame a target that answered long ago: here the time lost is given back once, and a check that still
 * was not listened to for about its whole timeout ends as `stalled`. `stillWaiting` is called at each wake-up before the end.
 */
export function startDeadline(
  clock: Clock,
  timeout: number,
  signal?: AbortSignal,
  stillWaiting?: () => void,
): Deadline {
  const startedAt = clock.monotonic();
  let due = startedAt + timeout;
  let wake = 0;
  let lost = 0;
  let extended = false;
  let cancel: () => void;

  const late = () => Math.max(0, clock.monotonic() - wake - tolerated);
  const arm = (now: number) => {
    const wait = Math.min(slice, due - now);
    wake = now + wait;
    cancel = clock.after(wait, tick);
  };
  const deadline: Deadline = {
    interrupt: null,
    over: null,
    lag: () => lost + late(),
    end: () => cancel(),
  };
  const tick = () => {
    const overslept = late();
    if (overslept > 0) lost += overslept + tolerated;
    const now = clock.monotonic();
    if (signal?.aborted) return finish('aborted');
    if (now < due) {
      stillWaiting?.();
      return arm(now);
    }
    if (lost > 0 && !extended) {
      extended = true;
      due = now + Math.min(lost, grace);
      return arm(now);
    }
    finish(now - startedAt - lost < timeout * 0.95 ? 'stalled' : 'timeout');
  };
  const finish = (why: Interruption) => {
    deadline.over = why;
    deadline.interrupt?.(why);
  };
  arm(startedAt);
  return deadline;
}
