/** Time between two readings of the clock. */
const tickMs = 5;
/** If a reading of the clock is late by more than this many milliseconds, the process did not run in between. */
const stallMs = 20;

export interface WaitingClock {
  /** Stops the clock. Returns the milliseconds since the start, without stalls. */
  ms(): number;
}

/**
 * Starts to count milliseconds. Does not count stalls: times in which this process could not run on a busy machine. So
 * the result does not depend on how many other processes run.
 */
export function startWaiting(): WaitingClock {
  const begunMonoMs = performance.now();
  let lastMonoMs = begunMonoMs;
  let stalledMs = 0;
  const look = () => {
    const nowMonoMs = performance.now();
    const lateMs = nowMonoMs - lastMonoMs - tickMs;
    if (lateMs > stallMs) stalledMs += lateMs;
    lastMonoMs = nowMonoMs;
  };
  const timer = setInterval(look, tickMs);
  timer.unref();
  return {
    ms() {
      clearInterval(timer);
      look();
      return performance.now() - begunMonoMs - stalledMs;
    },
  };
}

/** Runs `work`, and resolves with the milliseconds that it took, as `startWaiting` counts them. */
export async function waitingTime(work: () => Promise<unknown>): Promise<number> {
  const waiting = startWaiting();
  let ms: number;
  try {
    await work();
  } finally {
    ms = waiting.ms();
  }
  return ms;
}
