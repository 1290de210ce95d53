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
} from '../operations/forget-past.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const patience = 10 * 60_000;
/** Milliseconds after a start, which has more urgent things to do. */
const settled = 60_000;
/** Milliseconds between pieces: what answers people comes first. */
const breath = 20;
/** Milliseconds for which messages that are over are kept. */
const deliveriesKept = 90 * dayMs;

/**
 * Forgets what is past its time, a piece at a time so that nobody waits for it:
 * 1. The past of deleted monitors.
 * 2. Of all monitors alike, pings, timings and hours that are older than they are kept.
 * 3. Of each monitor in turn, results that are.
 * 4. Messages that are over, and closed alerts.
 * 5. Idempotency keys older than a day, and counts of messages that limit nothing any more.
 * 6. Give the room back to the disk.
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
      if (await store.write((trx) => purgeDeleted(trx, now))) return breath;

      if (timingsSince !== null) {
        const since = timingsSince;
        timingsSince = await store.write((trx) => forgetShared(trx, since, horizons));
        return breath;
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
        return breath;
      }

      const alerts = { deliveries: now - deliveriesKept, alerts: now - longestKept };
      if (await store.write((trx) => forgetAlerts(trx, alerts))) return breath;

      [timingsSince, monitor] = [now - 2 * dayMs, 0];
      await store.write((trx) => forgetMessageCounts(trx, now));
      await store.write((trx) =>
        trx
          .deleteFrom('idempotency')
          .where('created_at', '<', now - dayMs)
          .execute(),
      );
      await store.dialect.shrink(store.db);
      return patience;
    },
    settled,
  );
}
