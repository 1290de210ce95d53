import type { Deps } from '../deps.ts';
import { dayMs, hourMs } from '../core/uptime.ts';
import {
  forgetAlerts,
  forgetMessageCounts,
  forgetShared,
  forgetPast,
  type Horizons,
  longestKept,
  purgeDeleted,
} from '../recording/forget-past.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const pollIntervalMs = 10 * 60_000;
/** Time after a start, which has more urgent work. */
const firstRunAfterMs = 60_000;
/** Time between pieces, because requests come first. */
const pauseMs = 20;
/** Milliseconds for which finished messages are kept. */
export const deliveriesKept = 90 * dayMs;

/**
 * Deletes what is past its retention, in pieces so that nothing waits for it:
 * 1. Results of deleted monitors.
 * 2. For all monitors together, old pings, timings and hours.
 * 3. For each monitor in turn, old results.
 * 4. Finished messages, and closed alerts.
 * 5. Idempotency keys older than a day, and counts of messages that limit nothing any more.
 * 6. Return the space to the disk.
 */
export function startRetention(deps: Pick<Deps, 'clock' | 'log'>, store: Store, rawRetentionDays: number): Loop {
  let timingsSince: number | null = 0;
  let monitor = 0;
  return startLoop(
    deps,
    'retention',
    async () => {
      const now = deps.clock.now();
      const horizons: Horizons = {
        raw: now - rawRetentionDays * dayMs,
        timings: now - dayMs,
        histogram: Math.floor(now / hourMs) - 48,
        hours: Math.floor(now / hourMs) - 40 * 24,
        checkHours: Math.floor((now - longestKept) / hourMs),
        days: Math.floor(now / dayMs) - 800,
      };
      if (await store.write((trx) => purgeDeleted(trx, now))) return pauseMs;

      if (timingsSince !== null) {
        const since = timingsSince;
        timingsSince = await store.write((trx) => forgetShared(trx, since, horizons));
        return pauseMs;
      }

      const next = await store.db
        .selectFrom('monitor')
        .select('seq')
        .where('seq', '>', monitor)
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      if (next) {
        const more = await store.write((trx) => forgetPast(trx, next.seq, horizons));
        if (!more) monitor = next.seq;
        return pauseMs;
      }

      const alerts = { deliveries: now - deliveriesKept, alerts: now - longestKept };
      if (await store.write((trx) => forgetAlerts(trx, alerts))) return pauseMs;

      [timingsSince, monitor] = [now - 2 * dayMs, 0];
      await store.write((trx) => forgetMessageCounts(trx, now));
      await store.write((trx) =>
        trx
          .deleteFrom('idempotency')
          .where('created_at', '<', now - dayMs)
          .execute(),
      );
      await store.dialect.shrink(store.db);
      return pollIntervalMs;
    },
    firstRunAfterMs,
  );
}
