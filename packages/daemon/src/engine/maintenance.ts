import type { Deps } from '../deps.ts';
import { endWindow } from '../lifecycle/end-window.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';
import { restAfter } from './rest-after.ts';

/** Longest time between two runs of the loop. The loop runs earlier if a window ends sooner. */
const pollIntervalMs = 1000;
const maxWindowsAtOnce = 50;
/** When the loop has worked for this long, it lets other work run: see `restAfter`. */
const sliceMs = 4;

/**
 * Ends maintenance windows:
 * 1. Find the windows whose end has passed.
 * 2. End each window in a transaction of its own, which also adds an entry to the window's timeline and makes its
 *    delayed messages due.
 * 3. Run again when the next window ends.
 */
export function startMaintenance(deps: Pick<Deps, 'clock' | 'log'>, store: Store): Loop {
  const { clock } = deps;
  const open = store.db
    .selectFrom('incident')
    .select(['seq', 'scheduled_end'])
    .where('scheduled_end', 'is not', null)
    .where('resolved_at', 'is', null)
    .orderBy('scheduled_end');

  return startLoop(deps, 'maintenance', async (stopping) => {
    const over = await open.where('scheduled_end', '<=', clock.now()).limit(maxWindowsAtOnce).execute();
    const rest = restAfter(clock, sliceMs, stopping);
    for (const { seq } of over) {
      await rest();
      if (stopping.aborted) break;
      await store.write((trx) => endWindow(trx, seq, clock.now()));
    }
    const next = await open.limit(1).executeTakeFirst();
    return Math.min(pollIntervalMs, Math.max(10, (next?.scheduled_end ?? Infinity) - clock.now()));
  });
}
