import { percentile } from '../../core/response-histogram.ts';
import { dayMs, uptimePercent } from '../../core/uptime.ts';
import { hoursBetween } from '../../operations/forget-past.ts';
import type { Store } from '../../store/store.ts';
import { findMonitor } from '../find-monitor.ts';
import type { Handler } from '../handler.ts';
import { type OpenBooks, observedSince } from './observed.ts';

/** Uptime over the last 24 hours, 7 and 30 days, read from rollups and the open hour. */
export const getStats: Handler<'getStats'> = async ({ params, project }, { store, deps }) => {
  const { seq } = await findMonitor(store.db, project, params.monitorId);
  return readStats(store, seq, deps.clock.now());
};

/** The statistics of one monitor as of `now`, in epoch milliseconds. */
export async function readStats(store: Store, monitor: number, now: number) {
  const state = await store.db
    .selectFrom('monitor_state')
    .select(['status', 'accounted_until', 'blind_since', 'last_checked_at'])
    .where('monitor', '=', monitor)
    .executeTakeFirstOrThrow();
  const books: OpenBooks = {
    monitor,
    status: state.status,
    accountedUntil: state.accounted_until,
    blindSince: state.blind_since,
  };
  const uptime = async (days: number) => uptimePercent(await observedSince(store, books, now - days * dayMs, now));
  return {
    status: state.status,
    uptime24h: await uptime(1),
    uptime7d: await uptime(7),
    uptime30d: await uptime(30),
    ...(await responseTimes(store, monitor, hoursBetween(now - dayMs, now))),
    lastCheckedAt: state.last_checked_at === null ? null : new Date(state.last_checked_at).toISOString(),
  };
}

/** Average and 95th percentile of the passed checks of some hours, in milliseconds. */
async function responseTimes(store: Store, monitor: number, hours: number[]) {
  const sums = await store.db
    .selectFrom('check_hour')
    .select(({ fn }) => [
      fn.sum<number>('tenths_sum').as('tenths'),
      fn.sum<number>('checks').as('checks'),
      fn.sum<number>('failed').as('failed'),
    ])
    .where('monitor', '=', monitor)
    .where('hour', 'in', hours)
    .executeTakeFirstOrThrow();
  const buckets = await store.db
    .selectFrom('response_histogram')
    .select(['bucket', 'count'])
    .where('monitor', '=', monitor)
    .where('hour', 'in', hours)
    .execute();
  const passed = Number(sums.checks ?? 0) - Number(sums.failed ?? 0);
  const p95 = percentile(buckets, 0.95);
  return {
    avgResponseTime: passed > 0 ? round(Number(sums.tenths) / passed / 10) : null,
    p95ResponseTime: p95 === null ? null : round(p95 / 10),
  };
}

const round = (ms: number) => Math.round(ms * 10) / 10;
