import type { Deps } from '../deps.ts';
import { sendReminder } from '../alerting/deliveries/remind.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

/** Time between two searches for due reminders. */
const pollIntervalMs = 1000;
const maxRemindersAtOnce = 200;

/**
 * Queues the reminders of open alerts:
 * 1. Find alerts whose reminder is due.
 * 2. Queue each reminder in the outbox, unless it must not be sent now, and set when the next reminder is due.
 */
export function startReminders(deps: Pick<Deps, 'clock' | 'log'>, store: Store): Loop {
  return startLoop(deps, 'reminders', async () => {
    const now = deps.clock.now();
    const due = await store.db
      .selectFrom('alert')
      .select('seq')
      .where('remind_at', '<=', now)
      .where('resolved_at', 'is', null)
      .orderBy('remind_at')
      .limit(maxRemindersAtOnce)
      .execute();
    if (due.length === 0) return pollIntervalMs;
    await store.write(async (trx) => {
      // The time is read again, because the clock may have stepped while this transaction waited for its turn.
      const at = deps.clock.now();
      for (const { seq } of due) await sendReminder(trx, seq, at);
    });
    return due.length === maxRemindersAtOnce ? 0 : pollIntervalMs;
  });
}
