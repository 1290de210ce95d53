import { nextTurn } from '../wait.ts';
import type { SelectQueryBuilder, Selectable } from 'kysely';
import type { Store } from '../store/store.ts';
import type { IncidentTable, StatusPageRow, Tables } from '../store/tables.ts';

export type IncidentRow = Selectable<IncidentTable>;
type Incidents = SelectQueryBuilder<Tables, 'incident', IncidentRow>;

export interface Search {
  /** Adds conditions to a query of all incidents of the project. */
  where: (query: Incidents) => Incidents;
  by: 'started_at' | 'resolved_at';
  order: 'asc' | 'desc';
  /** Maximum number of incidents that are returned. */
  maxIncidents: number;
  /** If given, only incidents that follow this incident in the order of `by` and `order` are returned. */
  after?: Pick<IncidentRow, 'seq' | 'started_at' | 'resolved_at'> | undefined;
}

/**
 * Maximum number of incidents that one query reads. It is small, so that no query blocks the event loop, even if each
 * incident names a thousand monitors of other pages.
 */
const maxIncidentsAtOnce = 20;

/**
 * Finds the incidents that concern a page: those that name one of its monitors, and those that never named a monitor.
 * An incident that named monitors is not found if all these monitors were deleted.
 */
export async function findIncidents(
  { db }: Pick<Store, 'db'>,
  page: Pick<StatusPageRow, 'seq' | 'project_id'>,
  { where, by, order, maxIncidents, after }: Search,
): Promise<IncidentRow[]> {
  const found: IncidentRow[] = [];
  let last = after;
  while (found.length < maxIncidents) {
    let query = where(db.selectFrom('incident').selectAll().where('project_id', '=', page.project_id));
    if (last) {
      const { seq, [by]: at } = last;
      const than = order === 'asc' ? '>' : '<';
      query = query.where((row) => row.or([row(by, than, at), row.and([row(by, '=', at), row('seq', than, seq)])]));
    }
    const rows = await query.orderBy(by, order).orderBy('seq', order).limit(maxIncidentsAtOnce).execute();
    const shown = await shownOn(
      db,
      page,
      rows.filter(({ named }) => named === 1).map(({ seq }) => seq),
    );
    for (const row of rows) if (row.named === 0 || shown.has(row.seq)) found.push(row);
    last = rows.at(-1);
    await nextTurn();
    if (rows.length < maxIncidentsAtOnce) break;
  }
  return found.slice(0, maxIncidents);
}

/** Returns the incidents that name a monitor of the page. */
async function shownOn(
  db: Store['db'],
  page: Pick<StatusPageRow, 'seq'>,
  incidents: readonly number[],
): Promise<ReadonlySet<number>> {
  if (incidents.length === 0) return new Set();
  const rows = await db
    .selectFrom('incident')
    .select('seq')
    .where('seq', 'in', incidents)
    .where((row) =>
      row.exists(
        row
          .selectFrom('incident_monitor')
          .innerJoin('status_page_monitor', 'status_page_monitor.monitor', 'incident_monitor.monitor')
          .select('incident_monitor.incident')
          .whereRef('incident_monitor.incident', '=', 'incident.seq')
          .where('status_page_monitor.page', '=', page.seq),
      ),
    )
    .execute();
  return new Set(rows.map(({ seq }) => seq));
}
