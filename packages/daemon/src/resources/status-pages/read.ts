import type { statusPage } from '@uptime/sdk/contract';
import type * as z from 'zod';
import type { Store } from '../../store/store.ts';
import type { StatusPageRow } from '../../store/tables.ts';
import { findRow } from '../find-row.ts';
import type { Backend, Handler } from '../handler.ts';
import { inPieces } from '../in-pieces.ts';
import { isoTime } from '../iso-time.ts';
import { listRows } from '../list-rows.ts';

/** Number of status pages in one piece of a list. It is small, because each page names up to 1,000 monitors. */
const maxPagesAtOnce = 10;

export const listStatusPages: Handler<'listStatusPages'> = async (request, backend) => {
  const { store } = backend;
  const rows = await listRows(store.db, 'status_page', request);
  return inPieces(rows, maxPagesAtOnce, (some) => renderStatusPages(store.db, some, backend));
};

export const getStatusPage: Handler<'getStatusPage'> = async (request, backend) => {
  const row = await findRow(backend.store.db, 'status_page', request.project, request.params.statusPageId);
  return showStatusPage(backend.store.db, row, backend);
};

/** Resolves with a status page as the API shows it. `db` may be the transaction that has just written the page. */
export async function showStatusPage(
  db: Store['db'],
  row: StatusPageRow,
  backend: Pick<Backend, 'siteUrl' | 'publicHost' | 'domains'>,
) {
  return (await renderStatusPages(db, [row], backend))[0]!;
}

/** Returns the fields that say how a status page looks, under their names in the API. */
export const presentationOf = (row: StatusPageRow) => ({
  description: row.description,
  homeUrl: row.home_url,
  iconUrl: row.icon_url,
  accentColor: row.accent_color,
  groupBy: row.group_by,
});

/** Resolves with status pages as the API shows them. The rows must be of one project. */
async function renderStatusPages(
  db: Store['db'],
  rows: readonly StatusPageRow[],
  { siteUrl, publicHost, domains }: Pick<Backend, 'siteUrl' | 'publicHost' | 'domains'>,
): Promise<z.output<typeof statusPage>[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const shown = await db
    .selectFrom('status_page_monitor')
    .innerJoin('monitor', 'monitor.seq', 'status_page_monitor.monitor')
    .select(['status_page_monitor.page', 'monitor.id'])
    .where('status_page_monitor.page', '>=', first.seq)
    .where('status_page_monitor.page', '<=', last.seq)
    .where('monitor.project_id', '=', first.project_id)
    .orderBy('status_page_monitor.page')
    .orderBy('status_page_monitor.position')
    .execute();
  const monitorsOf = Map.groupBy(shown, ({ page }) => page);
  const states = await Promise.all(rows.map((row) => domains.stateOf(row)));
  return rows.map((row, at) => {
    const domain = states[at];
    return {
      id: row.id,
      key: row.key,
      managedBy: row.managed_by,
      name: row.name,
      slug: row.slug,
      monitorIds: (monitorsOf.get(row.seq) ?? []).map(({ id }) => id),
      customDomain: row.custom_domain,
      ...presentationOf(row),
      url: `${siteUrl()}/status/${row.slug}`,
      domain: domain ? { ...domain, cname: publicHost() } : null,
      createdAt: isoTime(row.created_at),
      updatedAt: isoTime(row.updated_at),
    };
  });
}
