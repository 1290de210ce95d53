import { nextTurn } from '../wait.ts';
import { dayMs, hourMs } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import { type HourlyAverage, readHourlyAverages } from './hourly-averages.ts';
import type { DayView } from './view.ts';

const daysShown = 90;
const hoursShown = 24;
/** How many hours may still change: the current hour, and the hour before, whose last results may be late. */
const openHours = 2;
/**
 * Maximum number of monitors in one query, so that no query blocks the event loop. Each monitor has one row per day.
 */
const maxMonitorsAtOnce = 50;
/** Maximum number of monitors whose past is cached. The oldest entries are dropped first. */
const maxKept = 10_000;

/** A monitor's history from the rollups. */
export interface History {
  /** The days before today, oldest first. The list stays the same object while it is cached. */
  past: readonly DayView[];
  /** The average response time of each of the last hours, ending with the current hour. */
  hours: (number | null)[];
  /** The average response times by region, if several regions checked the monitor in these hours. */
  regions: { region: number; hours: (number | null)[] }[];
}

interface Kept {
  day: number;
  past: readonly DayView[];
  hour: number;
  /** Averages of closed hours, by the hour's number. */
  hours: Averages;
}

/** The average response times of a monitor, overall and for each region. The keys are the numbers of the hours. */
type Averages = Map<number, Pick<HourlyAverage, 'averageMs' | 'regions'>>;

/**
 * Averages of a monitor. `cached` has the averages of closed hours. It is null if these were not cached during the
 * current hour. In this case, all averages are in `read`.
 */
interface Hours {
  cached: Averages | null;
  read: Averages;
}

/**
 * Returns a function that reads the history of monitors. It caches past days in memory for up to an hour, so that a
 * page reads only new rows. Past days change only through late results of probes or an import of history, so a page may
 * show such changes up to an hour late.
 */
export function createHistoryReader(store: Store) {
  const kept = new Map<number, Kept>();

  /** If `closed` is true, the monitor's days before today are complete, so they may be cached. */
  return async (monitors: readonly { seq: number; closed: boolean }[], now: number): Promise<Map<number, History>> => {
    const today = Math.floor(now / dayMs);
    const hour = Math.floor(now / hourMs);
    const past = await readPast(store, kept, monitors, { today, hour });
    const hours = await readHours(
      store,
      kept,
      monitors.map(({ seq }) => seq),
      hour,
    );
    for (const { seq, closed } of monitors) {
      kept.delete(seq);
      if (closed) kept.set(seq, { day: today, past: past.get(seq)!, hour, hours: closedOf(hours.get(seq)!, hour) });
    }
    for (const seq of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(seq);
    }
    return new Map(monitors.map(({ seq }) => [seq, { past: past.get(seq)!, ...seriesOf(hours.get(seq)!, hour) }]));
  };
}

/** Returns the days before today of each monitor. Reads only the days that are not in the cache. */
async function readPast(
  store: Store,
  kept: ReadonlyMap<number, Kept>,
  monitors: readonly { seq: number }[],
  { today, hour }: { today: number; hour: number },
) {
  const found = new Map<number, readonly DayView[]>();
  const unread: number[] = [];
  for (const { seq } of monitors) {
    const known = kept.get(seq);
    if (known?.day === today && known.hour === hour) found.set(seq, known.past);
    else unread.push(seq);
  }
  for (let at = 0; at < unread.length; at += maxMonitorsAtOnce) {
    const asked = unread.slice(at, at + maxMonitorsAtOnce);
    const rows = await store.db
      .selectFrom('observed_day')
      .selectAll()
      .where('monitor', 'in', asked)
      .where('period', '>', today - daysShown)
      .where('period', '<', today)
      .execute();
    const byMonitor = Map.groupBy(rows, ({ monitor }) => monitor);
    for (const seq of asked) {
      const days = new Map(byMonitor.get(seq)?.map((row) => [row.period, row]));
      const past = Array.from({ length: daysShown - 1 }, (_, index): DayView => {
        const day = today - daysShown + 1 + index;
        const row = days.get(day);
        return { day, up: row?.up_ms ?? 0, down: row?.down_ms ?? 0, maintenance: row?.maintenance_ms ?? 0 };
      });
      found.set(seq, past);
    }
    await nextTurn();
  }
  return found;
}

/** Returns the averages of each monitor's last hours. If these are cached, reads only the last `openHours` again. */
async function readHours(
  store: Store,
  kept: ReadonlyMap<number, Kept>,
  monitors: readonly number[],
  hour: number,
): Promise<Map<number, Hours>> {
  const found = new Map<number, Hours>();
  for (const seq of monitors) {
    const known = kept.get(seq);
    found.set(seq, { cached: known?.hour === hour ? known.hours : null, read: new Map() });
  }
  const isCached = (seq: number) => found.get(seq)!.cached !== null;
  for (const [from, asked] of [
    [hour - hoursShown + 1, monitors.filter((seq) => !isCached(seq))],
    [hour - openHours + 1, monitors.filter(isCached)],
  ] as const) {
    for (let at = 0; at < asked.length; at += maxMonitorsAtOnce) {
      const averages = await readHourlyAverages(store.db, asked.slice(at, at + maxMonitorsAtOnce), from);
      for (const { monitor, hour, averageMs, regions } of averages)
        found.get(monitor)!.read.set(hour, { averageMs, regions });
      await nextTurn();
    }
  }
  return found;
}

function seriesOf({ cached, read }: Hours, hour: number): Pick<History, 'hours' | 'regions'> {
  const shown = Array.from({ length: hoursShown }, (_, index) => {
    const at = hour - hoursShown + 1 + index;
    return read.get(at) ?? cached?.get(at);
  });
  const numbers = new Set<number>();
  for (const one of shown) {
    if (one) for (const { region } of one.regions) numbers.add(region);
  }
  const of = (region: number) =>
    shown.map((one) => one?.regions.find((own) => own.region === region)?.averageMs ?? null);
  return {
    hours: shown.map((one) => one?.averageMs ?? null),
    regions: numbers.size < 2 ? [] : [...numbers].map((region) => ({ region, hours: of(region) })),
  };
}

/** Returns the averages of closed hours, for the cache. */
const closedOf = ({ cached, read }: Hours, hour: number): Averages =>
  cached ?? new Map([...read].filter(([at]) => at > hour - hoursShown && at <= hour - openHours));
