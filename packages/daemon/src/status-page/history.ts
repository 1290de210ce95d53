import { nextTurn } from '../wait.ts';
import { dayMs, hourMs } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import type { DayView } from './view.ts';

export const daysShown = 90;
export const hoursShown = 24;
/** Recent hours that may still change: the current one, and the one before, whose last results may be late. */
const openHours = 2;
/** A few monitors at a time, so that no query holds the event loop. Each has one row per day. */
const chunk = 50;
/** Most monitors whose past is cached. The oldest entries are dropped first. */
const mostKept = 10_000;

/** A monitor's history from the rollups. */
export interface History {
  /** The days before today, oldest first. The list stays the same object while it is cached. */
  past: readonly DayView[];
  /** The average response time of each of the last hours, ending with the current hour. */
  hours: (number | null)[];
}

interface Kept {
  day: number;
  past: readonly DayView[];
  hour: number;
  /** Averages of closed hours, by the hour's number. */
  hours: Map<number, number>;
}

/**
 * Reads the history of monitors. Closed days no longer change and are cached in memory, so that a page only costs what
 * is new.
 */
export function createHistoryReader(store: Store) {
  const kept = new Map<number, Kept>();

  /** `closed`: whether the monitor's accounting is complete up to today, so that its past days may be cached. */
  return async (monitors: readonly { seq: number; closed: boolean }[], now: number): Promise<Map<number, History>> => {
    const today = Math.floor(now / dayMs);
    const hour = Math.floor(now / hourMs);
    const past = await readPast(monitors, today);
    const hours = await readHours(
      monitors.map(({ seq }) => seq),
      hour,
    );
    for (const { seq, closed } of monitors) {
      kept.delete(seq);
      if (closed) kept.set(seq, { day: today, past: past.get(seq)!, hour, hours: closedHours(hours.get(seq)!, hour) });
    }
    for (const seq of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(seq);
    }
    return new Map(
      monitors.map(({ seq }) => {
        const averages = hours.get(seq)!;
        const series = Array.from(
          { length: hoursShown },
          (_, index) => averages.get(hour - hoursShown + 1 + index) ?? null,
        );
        return [seq, { past: past.get(seq)!, hours: series }];
      }),
    );
  };

  async function readPast(monitors: readonly { seq: number }[], today: number) {
    const found = new Map<number, readonly DayView[]>();
    const unread: number[] = [];
    for (const { seq } of monitors) {
      const known = kept.get(seq);
      if (known?.day === today) found.set(seq, known.past);
      else unread.push(seq);
    }
    for (let at = 0; at < unread.length; at += chunk) {
      const asked = unread.slice(at, at + chunk);
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

  async function readHours(monitors: readonly number[], hour: number): Promise<Map<number, Map<number, number>>> {
    const found = new Map(monitors.map((seq) => [seq, new Map(kept.get(seq)?.hours)]));
    const behind = monitors.filter((seq) => (kept.get(seq)?.hour ?? -1) !== hour);
    for (const [from, asked] of [
      [hour - hoursShown + 1, behind],
      [hour - openHours + 1, monitors.filter((seq) => kept.get(seq)?.hour === hour)],
    ] as const) {
      for (let at = 0; at < asked.length; at += chunk) {
        const rows = await store.db
          .selectFrom('check_hour')
          .select(['monitor', 'hour'])
          .select((of) => [of.fn.sum<number>('tenths_sum').as('tenths'), of.fn.sum<number>('checks').as('checks')])
          .select((of) => of.fn.sum<number>('failed').as('failed'))
          .where('hour', '>=', from)
          .where('monitor', 'in', asked.slice(at, at + chunk))
          .groupBy(['monitor', 'hour'])
          .execute();
        for (const row of rows) {
          const passed = row.checks - row.failed;
          if (passed > 0) found.get(row.monitor)!.set(row.hour, row.tenths / passed / 10);
        }
        await nextTurn();
      }
    }
    return found;
  }
}

export type ReadHistory = ReturnType<typeof createHistoryReader>;

const closedHours = (averages: ReadonlyMap<number, number>, hour: number) =>
  new Map([...averages].filter(([at]) => at > hour - hoursShown && at <= hour - openHours));
