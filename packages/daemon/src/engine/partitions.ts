import type { Deps } from '../deps.ts';
import { horizonsAt } from '../recording/forget-past.ts';
import { dropPartitions, makePartitions } from '../store/result-partitions.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const betweenRunsMs = 5 * 60_000;
/**
 * Time until a failed run is retried. While a run waits for a lock, other transactions wait behind it, so retries must
 * be rare.
 */
const retryMs = 60_000;

/** Creates the partitions of the table `result` in advance, and drops expired ones. Only PostgreSQL has partitions. */
export function startPartitions(deps: Pick<Deps, 'clock' | 'log'>, store: Store, rawRetentionDays: number): Loop {
  const run = async () => {
    const { wallClock } = store.dialect;
    if (wallClock === null) return betweenRunsMs;
    const now = deps.clock.now();
    await makePartitions(store, now, rawRetentionDays);
    const earlier = Math.min(now, await wallClock(store.db));
    await dropPartitions(store, horizonsAt(earlier, rawRetentionDays).raw);
    return betweenRunsMs;
  };
  return startLoop(deps, 'partitions', run, 0, retryMs);
}
