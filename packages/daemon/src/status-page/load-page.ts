import { isPassive } from '@uptime/sdk/contract';
import { nextTurn } from '../wait.ts';
import { inForce, type Window } from '../core/maintenance.ts';
import { timeSinceRollup } from '../core/time-since-rollup.ts';
import { add, dayMs, nothingObserved, type Observed, uptimePercent } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import { createHistoryReader, type History } from './history.ts';
import { loadIncidents, maxOpenCounted } from './load-incidents.ts';
import { loadWindows } from './load-windows.ts';
import { overall } from './overall.ts';
import { createGroupReader } from './read-groups.ts';
import { roundedTime } from './rounded-time.ts';
import type { DayView, Masthead, MonitorView, PageView } from './view.ts';

/** Reads what a page shows at `now` (epoch milliseconds); null if the page does not exist. */
export type LoadPage = (slug: string, now: number) => Promise<PageView | null>;

/**
 * The page does not read maintenance windows that ended longer ago than this. The daily rollups already count them.
 */
const windowsReadMs = 14 * dayMs;
/** Number of monitors whose views are made before other work runs. */
const slice = 50;

/** Returns a function that reads a page. Call this once for each store, because the function caches daily figures. */
export function createPageLoader(store: Store): LoadPage {
  const readHistory = createHistoryReader(store);
  const readGroups = createGroupReader(store);

  return async (slug, now) => {
    const page = await findPage(store, slug);
    if (!page) return null;
    const { lists, more, openCount } = await loadIncidents(store, page, now);
    const before = await readMonitors(store, page.seq);
    const watched = before.filter(({ status }) => status === 'up' || status === 'down');
    const openFrom = watched.reduce((earliest, row) => Math.min(earliest, row.rolled_up_until), now);
    const windows = await loadWindows(store, page, Math.max(openFrom, now - windowsReadMs), now);
    const groups = await readGroups(before, page.group_by, now);

    // The monitors are read again after the slow queries, so that rollups and states are from the same moment.
    const rows = await readMonitors(store, page.seq);
    const today = Math.floor(now / dayMs);
    const history = await readHistory(
      rows.map((row) => ({ seq: row.seq, closed: isClosed(row, today) })),
      now,
    );
    const current = await readToday(
      store,
      rows.map(({ seq }) => seq),
      today,
    );
    const regionNames = await readRegionNames(store, history);
    const monitors: MonitorView[] = [];
    for (const row of rows) {
      const { seq } = row;
      const days = { history: history.get(seq)!, today: current.get(seq) };
      const parts = { windows: windows.get(seq) ?? [], regionNames, ...days };
      monitors.push({ ...monitorView(row, parts, now), group: groups.get(seq) ?? null });
      if (monitors.length % slice === 0) await nextTurn();
    }

    return {
      ...mastheadOf(page),
      madeAt: now,
      updatedAt: page.updated_at,
      overall: overall(monitors, openCount, maxOpenCounted),
      grouped: page.group_by !== null,
      monitors,
      ...lists,
      more,
    };
  };
}

/** Returns the names of the regions that have their own lines in the charts. */
async function readRegionNames(
  { db }: Pick<Store, 'db'>,
  history: ReadonlyMap<number, History>,
): Promise<Map<number, string>> {
  const numbers = [...new Set([...history.values()].flatMap(({ regions }) => regions.map(({ region }) => region)))];
  if (numbers.length === 0) return new Map();
  const rows = await db.selectFrom('region').select(['id', 'name']).where('id', 'in', numbers).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type MonitorRow = Awaited<ReturnType<typeof readMonitors>>[number];

/**
 * Returns the view of a monitor at `now`. Its days include the time since the last rollup, up to the rounded time of
 * the page (rounded-time.ts).
 */
function monitorView(
  row: MonitorRow,
  parts: {
    windows: readonly Window[];
    regionNames: ReadonlyMap<number, string>;
    history: History;
    today: Observed | undefined;
  },
  now: number,
): Omit<MonitorView, 'group'> {
  const today = Math.floor(now / dayMs);
  const sinceRollup = {
    monitor: row.seq,
    status: row.status,
    rolledUpUntil: row.rolled_up_until,
    unobservedSince: row.unobserved_since,
    windows: parts.windows,
  };
  const { past: kept, hours, regions } = parts.history;
  const withOpenTime = (day: DayView): DayView => {
    const end = (day.day + 1) * dayMs;
    if (end <= row.rolled_up_until) return day;
    const until = (at: number) => add(day, timeSinceRollup(sinceRollup, day.day * dayMs, Math.min(at, end)));
    const rounded = until(roundedTime(now));
    // The first seconds of a day are not rounded away. Otherwise the page would show the day as not observed.
    return { day: day.day, ...(isNothing(rounded) ? until(now) : rounded) };
  };
  const past = isClosed(row, today) ? kept : kept.map(withOpenTime);
  const day = withOpenTime({ day: today, ...(parts.today ?? nothingObserved) });
  const inWindow = sinceRollup.windows.some((window) => inForce(window, now));
  const state = stateOf(row, inWindow);
  return {
    name: row.name,
    state,
    downSince: state === 'down' ? row.since : null,
    uptime: uptimePercent(sum([...past, day])),
    past,
    today: day,
    responseTimes: isPassive(row) ? null : hours,
    regionTimes: regions
      .map(({ region, hours: own }) => ({ region: parts.regionNames.get(region) ?? '', hours: own }))
      .toSorted((one, other) => (one.region < other.region ? -1 : 1)),
  };
}

const readMonitors = ({ db }: Pick<Store, 'db'>, page: number) =>
  db
    .selectFrom('status_page_monitor')
    .innerJoin('monitor', 'monitor.seq', 'status_page_monitor.monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
    .select(['monitor.seq', 'monitor.name', 'monitor.type', 'monitor.updated_at'])
    .select(['monitor_state.status', 'monitor_state.since'])
    .select(['monitor_state.rolled_up_until', 'monitor_state.unobserved_since'])
    .where('status_page_monitor.page', '=', page)
    .orderBy('status_page_monitor.position')
    .execute();

/** Returns the row of a page; undefined if the page does not exist, or the operator disabled the owner's account. */
export async function findPage({ db }: Pick<Store, 'db'>, slug: string): Promise<StatusPageRow | undefined> {
  // A slug that no page can have is not looked up, because PostgreSQL refuses texts with NUL characters.
  if (!/^[a-z0-9-]+$/.test(slug)) return undefined;
  return db
    .selectFrom('status_page')
    .selectAll()
    .where('slug', '=', slug)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('disabled_account')
            .innerJoin('project', 'project.user_id', 'disabled_account.user_id')
            .select('project.id')
            .whereRef('project.id', '=', 'status_page.project_id'),
        ),
      ),
    )
    .executeTakeFirst();
}

export const mastheadOf = (row: StatusPageRow): Masthead => ({
  name: row.name,
  description: row.description,
  homeUrl: row.home_url,
  iconUrl: row.icon_url,
  accentColor: row.accent_color,
});

/**
 * Whether the rollups of the days before today are complete. If so, only late results of probes or an import of history
 * can still change these days.
 */
const isClosed = (row: { status: string; rolled_up_until: number }, today: number): boolean =>
  row.rolled_up_until >= today * dayMs || row.status === 'pending' || row.status === 'paused';

const isNothing = ({ up, down, maintenance }: Observed) => up + down + maintenance === 0;

function sum(times: readonly Observed[]): Observed {
  const total = { ...nothingObserved };
  for (const { up, down, maintenance } of times) {
    total.up += up;
    total.down += down;
    total.maintenance += maintenance;
  }
  return total;
}

function stateOf(row: { status: string; unobserved_since: number | null }, inWindow: boolean): MonitorView['state'] {
  if (row.status === 'paused') return 'paused';
  if (inWindow) return 'maintenance';
  if (row.unobserved_since !== null || row.status === 'pending') return 'unknown';
  return row.status === 'down' ? 'down' : 'up';
}

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
