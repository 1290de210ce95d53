import { nextTurn } from '../wait.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import type { IncidentRow } from './find-incidents.ts';
import type { IncidentView } from './view.ts';

/** How much of an incident is shown. */
export interface Extent {
  /** Maximum number of updates. The latest updates are shown. */
  maxUpdates: number;
  /** How many of the latest updates to skip first. */
  skip?: number;
  /** Maximum number of characters of each message. */
  maxCharacters: number;
}

const maxMonitorsNamed = 10;

/** Reads the parts of an incident that a page shows. */
export async function showIncident(
  { db }: Pick<Store, 'db'>,
  page: Pick<StatusPageRow, 'seq'>,
  row: IncidentRow,
  { maxUpdates, skip = 0, maxCharacters }: Extent,
): Promise<IncidentView> {
  const monitors = await db
    .selectFrom('incident_monitor')
    .innerJoin('status_page_monitor', 'status_page_monitor.monitor', 'incident_monitor.monitor')
    .innerJoin('monitor', 'monitor.seq', 'incident_monitor.monitor')
    .select('monitor.name')
    .where('incident_monitor.incident', '=', row.seq)
    .where('status_page_monitor.page', '=', page.seq)
    .orderBy('incident_monitor.position')
    .execute();
  await nextTurn();
  const updates = await db
    .selectFrom('incident_update')
    .select(['status', 'created_at'])
    .select((of) => of.fn<string>('substr', ['message', of.lit(1), of.lit(maxCharacters + 1)]).as('message'))
    .where('incident', '=', row.seq)
    .orderBy('seq', 'desc')
    .limit(maxUpdates + 1)
    .offset(skip)
    .execute();
  await nextTurn();
  return {
    publicId: row.public_id ?? '',
    title: row.title,
    status: row.status,
    maintenance: row.maintenance === 1,
    createdAt: row.created_at,
    startedAt: row.started_at,
    scheduledEnd: row.scheduled_end,
    resolvedAt: row.resolved_at,
    monitors: monitors.slice(0, maxMonitorsNamed).map(({ name }) => name),
    moreMonitors: Math.max(0, monitors.length - maxMonitorsNamed),
    updates: updates
      .slice(0, maxUpdates)
      .toReversed()
      .map(({ status, message, created_at }) => ({ status, message: cut(message, maxCharacters), at: created_at })),
    whole: updates.length <= maxUpdates && updates.every(({ message }) => message.length <= maxCharacters),
  };
}

/** Shortens a text to `maxCharacters` characters, without splitting a surrogate pair. */
const cut = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
