import { inForce } from '../core/maintenance.ts';
import { openTime } from '../core/open-books.ts';
import { add, dayMs, nothingObserved, type Observed, uptimePercent } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import { createHistoryReader } from './history.ts';
import { loadIncidents } from './load-incidents.ts';
import { overall } from './overall.ts';
import type { DayView, IncidentView, MonitorView, PageView } from './view.ts';

/** Reads what a page shows as of `now` (epoch milliseconds); null where there is no such page. */
export type LoadPage = (slug: string, now: number) => Promise<PageView | null>;

/** Made once for a store: what is closed is kept. */
export function createPageLoader(store: Store): LoadPage {
  const readHistory = createHistoryReader(store);

  return async (slug, now) => {
    // What can be no slug is not asked for: PostgreSQL takes no NUL.
    if (!/^[a-z0-9-]+$/.test(slug)) return null;
    const page = await store.db.selectFrom('status_page').selectAll().where('slug', '=', slug).executeTakeFirst();
    if (!page) return null;
    const rows = await store.db
      .selectFrom('status_page_monitor')
      .innerJoin('monitor', 'monitor.seq', 'status_page_monitor.monitor')
      .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
      .select(['monitor.seq', 'monitor.name', 'monitor.type'])
      .select(['monitor_state.status', 'monitor_state.accounted_until', 'monitor_state.blind_since'])
      .where('status_page_monitor.page', '=', page.seq)
      .orderBy('status_page_monitor.position')
      .execute();
    const names = new Map(rows.map(({ seq, name }) => [seq, name]));
    const { incidents, windows } = await loadIncidents(store, page.project_id, names, now);

    const today = Math.floor(now / dayMs);
    const history = await readHistory(
      rows.map((row) => ({ seq: row.seq, closed: isClosed(row, today) })),
      now,
    );
    const current = await readToday(store, [...names.keys()], today);
    const monitors = rows.map((row): MonitorView => {
      const books = {
        monitor: row.seq,
        status: row.status,
        accountedUntil: row.accounted_until,
        blindSince: row.blind_since,
        windows: windows.get(row.seq) ?? [],
      };
      const { past: kept, hours } = history.get(row.seq)!;
      const withOpenTime = (day: DayView): DayView => {
        const end = (day.day + 1) * dayMs;
        if (end <= row.accounted_until) return day;
        return { day: day.day, ...add(day, openTime(books, day.day * dayMs, Math.min(now, end))) };
      };
      const past = isClosed(row, today) ? kept : kept.map(withOpenTime);
      const day = withOpenTime({ day: today, ...(current.get(row.seq) ?? nothingObserved) });
      const inWindow = books.windows.some((window) => inForce(window, now));
      return {
        name: row.name,
        state: stateOf(row, inWindow),
        uptime: uptimePercent(sum([...past, day])),
        past,
        today: day,
        responseTimes: row.type === 'heartbeat' ? null : hours,
      };
    });

    const open = incidents.filter((one) => !one.maintenance && one.resolvedAt === null);
    const pending = incidents.filter(
      (one) => one.maintenance && one.resolvedAt === null && (one.scheduledEnd ?? 0) > now,
    );
    return {
      name: page.name,
      madeAt: now,
      updatedAt: page.updated_at,
      overall: overall(monitors, open.length),
      monitors,
      open: newestFirst(open),
      current: pending.filter(({ startedAt }) => startedAt <= now),
      planned: pending.filter(({ startedAt }) => startedAt > now).toSorted((a, b) => a.startedAt - b.startedAt),
      past: newestFirst(incidents.filter(({ resolvedAt }) => resolvedAt !== null)),
    };
  };
}

/** Whether nothing can be added any more to the days before today. */
const isClosed = (row: { status: string; accounted_until: number }, today: number): boolean =>
  row.accounted_until >= today * dayMs || row.status === 'pending' || row.status === 'paused';

function sum(times: readonly Observed[]): Observed {
  const total = { ...nothingObserved };
  for (const { up, down, maintenance } of times) {
    total.up += up;
    total.down += down;
    total.maintenance += maintenance;
  }
  return total;
}

function stateOf(row: { status: string; blind_since: number | null }, inWindow: boolean): MonitorView['state'] {
  if (row.status === 'paused') return 'paused';
  if (inWindow) return 'maintenance';
  if (row.blind_since !== null || row.status === 'pending') return 'unknown';
  return row.status === 'down' ? 'down' : 'up';
}

const newestFirst = (incidents: readonly IncidentView[]) => incidents.toSorted((a, b) => b.startedAt - a.startedAt);

async function readToday(store: Store, monitors: readonly number[], today: number): Promise<Map<number, Observed>> {
  if (monitors.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('observed_day')
    .selectAll()
    .where('monitor', 'in', monitors)
    .where('period', '=', today)
    .execute();
  return new Map(
    rows.map((row) => [row.monitor, { up: row.up_ms, down: row.down_ms, maintenance: row.maintenance_ms }]),
  );
}
