import type { StoredOutcome } from '../../packages/daemon/src/recording/write-results.ts';
import { passed } from '../../packages/daemon/src/testing/passing-check.ts';
import { region } from '../growth/fill-monitors.ts';

/**
 * Returns the results of a batch. Its monitors are spread over the whole table, like monitors that become due at the
 * same time. `at` is the time of the first batch, in epoch milliseconds. Each batch is a second later than the
 * batch before.
 */
export const resultBatch = (
  batch: number,
  { size, monitors, at }: { size: number; monitors: number; at: number },
): StoredOutcome[] =>
  Array.from({ length: size }, (_, index) => ({
    monitor: 1 + (((batch * size + index) * 7919) % monitors),
    region,
    at: at + batch * 1000 + index,
    outcome: passed,
  }));
