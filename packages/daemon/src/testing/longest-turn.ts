import { cpuTimeMs } from './cpu-time.ts';

/** Runs `work`. Returns its result, and the most processor time that one turn of the event loop took meanwhile. */
export async function measureLongestTurn<T>(work: () => Promise<T>): Promise<{ turnMs: number; result: T }> {
  let [turnMs, going, last] = [0, true, cpuTimeMs()];
  const look = () => {
    const now = cpuTimeMs();
    turnMs = Math.max(turnMs, now - last);
    last = now;
    if (going) setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await work();
    // The turn in which the work ends counts too.
    turnMs = Math.max(turnMs, cpuTimeMs() - last);
    return { turnMs, result };
  } finally {
    going = false;
  }
}
