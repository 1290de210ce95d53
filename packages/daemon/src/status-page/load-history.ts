import { nextTurn } from '../wait.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import { findIncidents, type IncidentRow } from './find-incidents.ts';
import { aheadShownMs } from './load-incidents.ts';
import { findPage, mastheadOf } from './load-page.ts';
import { type Extent, showIncident } from './show-incident.ts';
import type { HistoryPlace, HistoryView } from './view.ts';

const shown = 25;
const extent: Extent = { maxUpdates: 1, maxCharacters: 300 };

export interface AskedHistory {
  /** A month such as `2026-11`; null for the current month. */
  month: string | null;
  /** The list continues after the incident with this public id; null for the newest incidents of the month. */
  after: string | null;
}

/** Reads some incidents of a month; null if the status page, the month or the incident `after` does not exist. */
export type LoadHistory = (slug: string, asked: AskedHistory, now: number) => Promise<HistoryView | null>;

/** Returns a function that reads a month in UTC. An incident belongs to the month in which it began. */
export const createHistoryLoader =
  (store: Store): LoadHistory =>
  async (slug, asked, now) => {
    const page = await findPage(store, slug);
    const month = asked.month ?? monthOf(now);
    const span = spanOf(month);
    if (!page || !span) return null;
    const after = asked.after === null ? undefined : await findByPublicId(store, page, asked.after);
    if (after === null) return null;

    const begun = (from: number, until: number, order: 'asc' | 'desc', maxIncidents: number, last?: IncidentRow) =>
      findIncidents(store, page, {
        where: (query) =>
          query.where('started_at', '>=', from).where('started_at', '<', Math.min(until, now + aheadShownMs)),
        by: 'started_at',
        order,
        maxIncidents,
        after: last,
      });
    const rows = await begun(span.from, span.until, 'desc', shown + 1, after);
    const incidents = [];
    for (const row of rows.slice(0, shown)) incidents.push(await showIncident(store, page, row, extent));
    await nextTurn();
    const last = rows[shown - 1];
    const [earlier] = await begun(0, span.from, 'desc', 1);
    const [later] = await begun(span.until, Infinity, 'asc', 1);
    const older: HistoryPlace | null =
      rows.length > shown && last
        ? { month, after: last.public_id }
        : earlier
          ? { month: monthOf(earlier.started_at), after: null }
          : null;
    return {
      ...mastheadOf(page),
      madeAt: now,
      month,
      incidents,
      older,
      newer: later ? monthOf(later.started_at) : null,
    };
  };

/** Returns the incident with a public id, if the page shows it; else null. */
export async function findByPublicId(
  store: Pick<Store, 'db'>,
  page: Pick<StatusPageRow, 'seq' | 'project_id'>,
  publicId: string,
): Promise<IncidentRow | null> {
  if (!/^[0-9a-f]{20}$/.test(publicId)) return null;
  const [row] = await findIncidents(store, page, {
    where: (query) => query.where('public_id', '=', publicId),
    by: 'started_at',
    order: 'desc',
    maxIncidents: 1,
  });
  return row ?? null;
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

function spanOf(month: string): { from: number; until: number } | null {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined || number === undefined) return null;
  return { from: Date.UTC(Number(year), Number(number) - 1), until: Date.UTC(Number(year), Number(number)) };
}
