import type { Deps } from '../deps.ts';
import { createCheckCounting } from '../recording/count-checks.ts';
import { createFold, readMark, removeFoldedSlot } from '../recording/fold-results.ts';
import { createResultMoving } from '../recording/move-results.ts';
import type { OpenSlots } from '../recording/open-slots.ts';
import type { QuietChecks } from '../recording/quiet-checks.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const minuteSeconds = 60;
const hourSeconds = 3600;
/** Time between two transactions, so that waiting requests are answered in between. */
const restMs = 20;
const pollIntervalMs = 10_000;

/**
 * On SQLite, new results are first written to `recent_result`. This loop moves them to other tables in small batches:
 * 1. Once a minute, add the results of earlier minutes to the hourly counts.
 * 2. Once an hour, move the results of earlier hours to `result`.
 * 3. Remove from `recent_result` the results that are both counted and moved.
 */
export function startFolds(
  deps: Pick<Deps, 'clock' | 'log'>,
  store: Store,
  parts: { slots: OpenSlots; quiet: Pick<QuietChecks, 'withTimes'> },
): Loop {
  const counts = createFold(store, parts.slots, 'counts', createCheckCounting(store));
  const results = createFold(store, parts.slots, 'results', createResultMoving(store, parts.quiet));
  return startLoop(
    deps,
    'folds',
    async () => {
      const second = Math.floor(deps.clock.now() / 1000);
      if (await counts.piece(second - (second % minuteSeconds))) return restMs;
      const counted = await readMark(store.db, 'counts');
      if (await results.piece(Math.min(second - (second % hourSeconds), counted.done + 1))) return restMs;
      if (await removeFoldedSlot(store)) return restMs;
      return pollIntervalMs;
    },
    pollIntervalMs,
  );
}
