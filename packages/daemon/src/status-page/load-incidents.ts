import { dayMs } from '../core/uptime.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import { findIncidents, type IncidentRow, type Search } from './find-incidents.ts';
import { type Extent, showIncident } from './show-incident.ts';
import type { IncidentList, IncidentView } from './view.ts';

/** How long a resolved incident stays on the page. */
const pastShownMs = 14 * dayMs;
/** Maintenance is announced this long before its start. */
export const aheadShownMs = 30 * dayMs;

/** How many incidents of each list the main page shows. The history shows the other incidents. */
const incidentsShown: Record<IncidentList, number> = { open: 20, current: 10, planned: 10, past: 20 };
/** Open incidents are counted up to this number. */
export const maxOpenCounted = 100;
const extent: Extent = { maxUpdates: 10, maxCharacters: 1000 };

export interface PageIncidents {
  lists: Record<IncidentList, IncidentView[]>;
  more: Record<IncidentList, boolean>;
  /** How many incidents are open. One more than `maxOpenCounted` stands for any larger number. */
  openCount: number;
}

/**
 * Loads the incidents that a page shows, up to the limits in `incidentsShown`. Each incident is read separately, so
 * that other work can run in between.
 */
export async function loadIncidents(
  store: Store,
  page: Pick<StatusPageRow, 'seq' | 'project_id'>,
  now: number,
): Promise<PageIncidents> {
  const pending: Search['where'] = (query) =>
    query.where('resolved_at', 'is', null).where('maintenance', '=', 1).where('scheduled_end', '>', now);
  const find = (search: Search) => findIncidents(store, page, search);
  const found: Record<IncidentList, IncidentRow[]> = {
    open: await find({
      where: (query) => query.where('resolved_at', 'is', null).where('maintenance', '=', 0),
      by: 'started_at',
      order: 'desc',
      maxIncidents: maxOpenCounted + 1,
    }),
    current: await find({
      where: (query) => pending(query).where('started_at', '<=', now),
      by: 'started_at',
      order: 'asc',
      maxIncidents: incidentsShown.current + 1,
    }),
    planned: await find({
      where: (query) =>
        pending(query)
          .where('started_at', '>', now)
          .where('started_at', '<', now + aheadShownMs),
      by: 'started_at',
      order: 'asc',
      maxIncidents: incidentsShown.planned + 1,
    }),
    past: await find({
      where: (query) => query.where('resolved_at', '>', now - pastShownMs).where('started_at', '<', now + aheadShownMs),
      by: 'resolved_at',
      order: 'desc',
      maxIncidents: incidentsShown.past + 1,
    }),
  };

  const show = async (list: IncidentList) => {
    const shown: IncidentView[] = [];
    for (const row of found[list].slice(0, incidentsShown[list]))
      shown.push(await showIncident(store, page, row, extent));
    return shown;
  };
  const more = (list: IncidentList) => found[list].length > incidentsShown[list];
  return {
    lists: {
      open: await show('open'),
      current: await show('current'),
      planned: await show('planned'),
      past: (await show('past')).toSorted((a, b) => b.startedAt - a.startedAt),
    },
    more: { open: more('open'), current: more('current'), planned: more('planned'), past: more('past') },
    openCount: found.open.length,
  };
}
