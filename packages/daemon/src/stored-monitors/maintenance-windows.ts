import type { Transaction } from 'kysely';
import { inForce, type Window } from '../core/maintenance.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** The database for reads, inside or outside a transaction. */
type Reader = Pick<Transaction<Tables>, 'selectFrom'>;

interface SpanOfMonitor {
  monitor: number;
  from: number;
  until: number;
}

/**
 * Returns the maintenance windows of a monitor that overlap a span. A window that was resolved early ends when it was
 * resolved.
 */
export const maintenanceWindows = async (db: Reader, span: SpanOfMonitor): Promise<Window[]> =>
  (await touching(db, span).execute()).map(toWindow);

/** Returns the maintenance windows that overlap a span, for each monitor of a range. */
export async function windowsOfMonitors(
  db: Reader,
  { first, last, from, until }: { first: number; last: number; from: number; until: number },
): Promise<Map<number, Window[]>> {
  const rows = await db
    .selectFrom('incident')
    .innerJoin('incident_monitor', 'incident_monitor.incident', 'incident.seq')
    .select(['incident_monitor.monitor', 'scheduled_start', 'scheduled_end', 'resolved_at'])
    .where('incident_monitor.monitor', '>=', first)
    .where('incident_monitor.monitor', '<=', last)
    .where('maintenance', '=', 1)
    .where('scheduled_start', '<=', until)
    .where('scheduled_end', '>', from)
    .execute();
  const windows = new Map<number, Window[]>();
  for (const row of rows) windows.set(row.monitor, [...(windows.get(row.monitor) ?? []), toWindow(row)]);
  return windows;
}

/** Like `maintenanceWindows`, for code that runs often: the statement is built only once. */
export function prepareWindows(store: Store): (span: SpanOfMonitor) => Promise<Window[]> {
  const rows = prepare(store, (db, span: SpanOfMonitor) => touching(db, span));
  return async (span) => (await rows(store.db, span)).map(toWindow);
}

/**
 * Returns the latest end of the windows that are in force for a monitor at this time; null if no window is in force.
 */
export async function maintenanceEnd(db: Reader, monitor: number, at: number): Promise<number | null> {
  const windows = await maintenanceWindows(db, { monitor, from: at, until: at });
  const ends = windows.filter((window) => inForce(window, at)).map(({ end }) => end);
  return ends.length === 0 ? null : Math.max(...ends);
}

/**
 * Returns whether a window is in force for a monitor at this time, and whether at least one such window is not resolved
 * yet.
 */
export async function maintenanceAt(
  db: Reader,
  monitor: number,
  at: number,
): Promise<{ maintenance: boolean; windowOpen: boolean }> {
  const rows = await touching(db, { monitor, from: at, until: at }).execute();
  const windows = rows.filter((row) => inForce(toWindow(row), at));
  return { maintenance: windows.length > 0, windowOpen: windows.some((row) => row.resolved_at === null) };
}

const touching = (db: Reader, { monitor, from, until }: SpanOfMonitor) =>
  db
    .selectFrom('incident')
    .select(['scheduled_start', 'scheduled_end', 'resolved_at'])
    .where('seq', 'in', (db) => db.selectFrom('incident_monitor').select('incident').where('monitor', '=', monitor))
    .where('maintenance', '=', 1)
    .where('scheduled_start', '<=', until)
    .where('scheduled_end', '>', from);

function toWindow(row: {
  scheduled_start: number | null;
  scheduled_end: number | null;
  resolved_at: number | null;
}): Window {
  const end = row.scheduled_end ?? 0;
  return { start: row.scheduled_start ?? end, end: Math.min(end, row.resolved_at ?? end) };
}
