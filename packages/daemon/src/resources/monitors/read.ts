import { setImmediate as breath } from 'node:timers/promises';
import { notFound } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { Project } from '../../store/tables.ts';
import type { AnswerOf, Backend, Handler } from '../handler.ts';
import { cursorOf, cutPage, readPage } from '../paging.ts';
import { renderMonitor, type ShownRow } from './render.ts';

const shownRows = (db: Store['db'], project: Pick<Project, 'id'>) =>
  db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
    .selectAll('monitor')
    .select([
      'monitor_state.status',
      'monitor_state.last_checked_at',
      'monitor_state.last_ping_at',
      'monitor_state.ping_due_at',
      'monitor_state.certificate',
      'monitor_state.domain',
    ])
    .select((eb) =>
      eb
        .selectFrom('schedule')
        .whereRef('schedule.monitor', '=', 'monitor.seq')
        .select((of) => of.fn.min('schedule.next_at').as('next_at'))
        .as('next_at'),
    )
    .where('monitor.project_id', '=', project.id);

export const listMonitors: Handler<'listMonitors'> = async (request, backend) => {
  const page = readPage(request.query);
  let rows = shownRows(backend.store.db, request.project).orderBy('monitor.seq');
  if (request.query.key !== undefined) rows = rows.where('monitor.key', '=', request.query.key);
  if (request.query.name !== undefined) rows = rows.where('monitor.name', '=', request.query.name);
  if (page.after !== null) rows = rows.where('monitor.seq', '>', page.after[0]);
  if (page.limit !== null) rows = rows.limit(page.limit + 1);
  const found: ShownRow[] = await rows.execute();
  const shownWith = { siteUrl: backend.siteUrl(), now: backend.deps.clock.now(), vault: backend.vault };
  const shown = cutPage(found, page, (row) => cursorOf(row.seq), request.nextPage);
  const registrations = await registrationsOf(backend.store.db, shown);
  const monitors: AnswerOf<'listMonitors'> = [];
  for (const row of shown) {
    // Secrets are opened one by one: a long list must not hold the event loop.
    if (monitors.length % 200 === 199) await breath();
    monitors.push(renderMonitor(row, shownWith, registrations.get(row.domain)));
  }
  return monitors;
};

export const getMonitor: Handler<'getMonitor'> = (request, backend) =>
  showMonitor(backend.store.db, request.project, request.params.monitorId, backend);

/** The monitor with this id in the API's form. `db` may be the transaction that just wrote it. */
export async function showMonitor(db: Store['db'], project: Pick<Project, 'id'>, id: string, backend: Backend) {
  const row: ShownRow | undefined = /^mon_\w+$/.test(id)
    ? await shownRows(db, project).where('monitor.id', '=', id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('monitor');
  const registrations = await registrationsOf(db, [row]);
  const shownWith = { siteUrl: backend.siteUrl(), now: backend.deps.clock.now(), vault: backend.vault };
  return renderMonitor(row, shownWith, registrations.get(row.domain));
}

/** The registrations of these monitors' domains, by name. */
async function registrationsOf(db: Store['db'], rows: readonly Pick<ShownRow, 'domain'>[]) {
  const names = [...new Set(rows.flatMap(({ domain }) => domain ?? []))];
  const known =
    names.length === 0
      ? []
      : await db.selectFrom('domain_registration').selectAll().where('name', 'in', names).execute();
  return new Map<string | null, (typeof known)[number]>(known.map((row) => [row.name, row]));
}
