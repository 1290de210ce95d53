/** Milliseconds between two looks at the time. */
const tickMs = 5;
/** A look that is later than this many milliseconds is the sign of a stall. */
const stallMs = 20;

/**
 * How many milliseconds some work took, without those in which a busy machine did not let this process run. So it
 * measures what the work waits for, and not how many other processes run.
 */
export async function waitingTime(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let last = begun;
  let stalledMs = 0;
  const look = () => {
    const now = performance.now();
    const lateMs = now - last - tickMs;
    if (lateMs > stallMs) stalledMs += lateMs;
    last = now;
  };
  const timer = setInterval(look, tickMs);
  try {
    await work();
    look();
    return performance.now() - begun - stalledMs;
  } finally {
    clearInterval(timer);
  }
}
