import { cpuTimeMs } from './cpu-time.ts';

/** Does some work. Returns its result, and the most processor time of one turn of the event loop meanwhile. */
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
    return { turnMs, result };
  } finally {
    going = false;
  }
}
