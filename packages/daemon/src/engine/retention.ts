import type { Deps } from '../deps.ts';
import { dayMs } from '../core/uptime.ts';
import {
  forgetAlerts,
  forgetAnswers,
  forgetMessageCounts,
  forgetShared,
  forgetPast,
  horizonsAt,
  maxKeptMs,
} from '../recording/forget-past.ts';
import { forgetAttempts } from '../store/count-attempt.ts';
import { purgeDeleted } from '../recording/purge-deleted.ts';
import { createMetricsShares, forgetMetrics } from '../recording/forget-metrics.ts';
import { type RegionsToForget, readRegionsToForget } from '../lifecycle/regions-to-forget.ts';
import { closedProject, removePiece } from '../lifecycle/remove-project.ts';
import { createSilentProbes } from '../lifecycle/silent-probes.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

/** Time between the end of a pass over all data and the start of the next pass. */
const betweenPassesMs = 10 * 60_000;
/**
 * If this many pings have arrived since the last pass, the next pass begins early. The second value is the interval at
 * which the loop counts the new pings, in milliseconds.
 */
const [pingsOfEarlyPass, lookIntervalMs] = [200_000, 30_000];
/** The loop first runs this long after the daemon starts, because a start has more urgent work. */
const firstRunAfterMs = 60_000;
/** Time between two transactions, so that waiting requests are answered in between. */
const restMs = 20;
/** Finished messages are kept for this time. */
export const deliveriesKeptMs = 90 * dayMs;

export interface RetentionOptions {
  rawRetentionDays: number;
  /** Maximum number of pings with metrics that a project keeps; null for no limit. */
  projectMetrics?: number | null | undefined;
}

/**
 * Deletes data that is past its retention, in small batches so that no other work waits:
 * 1. The remaining contents of a deleted project, if a kill interrupted the removal.
 * 2. Results of deleted monitors.
 * 3. For all monitors together: old pings, timings and hourly counts.
 * 4. For each monitor in turn: old results, and pings with metrics beyond the number that the heartbeat and its project
 *    keep.
 * 5. Regions that were never served and that nothing uses.
 * 6. Finished messages, and closed alerts.
 * 7. Answers older than a day that were kept for repeated requests.
 * 8. Counts of messages and attempts that no limit needs any more.
 *
 * Then the loop returns the free space to the disk. It also forgets silent probes if another probe with the same token
 * is live.
 */
export function startRetention(
  deps: Pick<Deps, 'clock' | 'log'>,
  store: Store,
  { rawRetentionDays, projectMetrics = null }: RetentionOptions,
): Loop {
  const metricsKept = createMetricsShares(projectMetrics);
  const silentProbes = createSilentProbes();
  let timingsSince: number | null = 0;
  let monitor = 0;
  let regions: RegionsToForget | null = null;
  let regionsAfter = 0;
  let nextPassMonoMs = -Infinity;
  let pingsAtPass = 0;
  return startLoop(
    deps,
    'retention',
    async () => {
      const now = deps.clock.now();
      const horizons = horizonsAt(now, rawRetentionDays);
      if (await removeDeleted(store, now)) return restMs;
      const latest = await latestPing(store);
      const isDue = deps.clock.monotonicMs() >= nextPassMonoMs || latest - pingsAtPass >= pingsOfEarlyPass;
      if (!isDue) return lookIntervalMs;

      if (timingsSince !== null) {
        const since = timingsSince;
        timingsSince = await store.write((trx) => forgetShared(trx, since, horizons));
        return restMs;
      }

      regions ??= await readRegionsToForget(store, regionsAfter);
      const next = await monitorAfter(store, monitor);
      if (next) {
        await regions.keepOf(next.seq);
        const kept = await metricsKept.of(store.db, next);
        const more = await store.write(
          async (trx) =>
            (await forgetPast(trx, next.seq, horizons, store.dialect)) || (await forgetMetrics(trx, next.seq, kept)),
        );
        if (!more) monitor = next.seq;
        return restMs;
      }
      metricsKept.forget();

      if (await regions.removePiece()) return restMs;
      const alerts = { deliveries: now - deliveriesKeptMs, alerts: now - maxKeptMs };
      if (await store.write((trx) => forgetAlerts(trx, alerts))) return restMs;

      if (await store.write((trx) => forgetAnswers(trx, now))) return restMs;

      [timingsSince, monitor] = [now - 2 * dayMs, 0];
      [regionsAfter, regions] = [regions.nextAfter, null];
      await forgetCounts(store, now);
      await store.dialect.shrink(store.db);
      // This step must stay the last. If another step came after it and failed, the pass would soon run again, and would
      // call `forget` too early (silent-probes.ts).
      await silentProbes.forget(store, now);
      // If there are more regions than one pass examines, the next pass begins early.
      const nextAfterMs = regionsAfter === 0 ? betweenPassesMs : 0;
      [nextPassMonoMs, pingsAtPass] = [deps.clock.monotonicMs() + nextAfterMs, latest];
      return lookIntervalMs;
    },
    firstRunAfterMs,
  );
}

/**
 * Removes some results of a deleted monitor, or some contents of a project whose removal was interrupted by a kill.
 * Resolves with whether there was anything to remove.
 */
async function removeDeleted(store: Store, now: number): Promise<boolean> {
  const closed = await closedProject(store.db);
  if (!closed) return store.write((trx) => purgeDeleted(trx, now));
  await store.write((trx) => removePiece(trx, closed.id, now));
  return true;
}

/** Removes counts of messages and attempts that no limit needs any more. */
async function forgetCounts(store: Store, now: number): Promise<void> {
  await store.write((trx) => forgetMessageCounts(trx, now));
  await forgetAttempts(store, now);
}

/** Resolves with the next monitor in the order of a pass. */
const monitorAfter = ({ db }: Store, seq: number) =>
  db
    .selectFrom('monitor')
    .select(['seq', 'project_id'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();

/** Resolves with the number of the latest ping. Pings are numbered in the order in which they arrive. */
async function latestPing({ db }: Store): Promise<number> {
  const latest = await db.selectFrom('ping').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return latest?.id ?? 0;
}
