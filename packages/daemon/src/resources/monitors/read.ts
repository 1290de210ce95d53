import { isPassive } from '@uptime/sdk/contract';
import { notFound } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { Project } from '../../store/tables.ts';
import type { Backend, Handler } from '../handler.ts';
import { readRegionResults } from './region-results.ts';
import { renderMonitor, type ShownRow, type ShownWith } from './render.ts';

/** Returns the query for a project's monitors with everything that the API shows of them. */
export const shownRows = (db: Store['db'], project: Pick<Project, 'id'>) =>
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

export const getMonitor: Handler<'getMonitor'> = async ({ project, params }, backend) => {
  const monitor = await showWithRegions(backend.store.db, project, params.monitorId, backend);
  // A job uses a key with the scope `ping` only to find its ping address. So such a key can read only heartbeats.
  if (project.key?.scope === 'ping' && !isPassive(monitor)) throw notFound('monitor');
  return monitor;
};

/**
 * Resolves with the monitor that has this id, as the API shows it. `db` may be the transaction that has just written
 * the monitor.
 */
export const showMonitor = async (db: Store['db'], project: Pick<Project, 'id'>, id: string, backend: Backend) =>
  (await readMonitor(db, project, id, backend)).monitor;

/**
 * Resolves with the monitor that has this id, as the API shows it, with the results of its regions. Lists of monitors
 * lack these results, because reading them takes further queries.
 */
export async function showWithRegions(db: Store['db'], project: Pick<Project, 'id'>, id: string, backend: Backend) {
  const { seq, monitor } = await readMonitor(db, project, id, backend);
  if (isPassive(monitor)) return monitor;
  const regionResults = await readRegionResults(db, { seq, intervalMs: monitor.interval * 1000 }, backend);
  return { ...monitor, regionResults };
}

async function readMonitor(db: Store['db'], project: Pick<Project, 'id'>, id: string, backend: Backend) {
  const row: ShownRow | undefined = /^mon_\w+$/.test(id)
    ? await shownRows(db, project).where('monitor.id', '=', id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('monitor');
  const registrations = await registrationsOf(db, [row]);
  return { seq: row.seq, monitor: renderMonitor(row, shownWith(backend), registrations.get(row.domain)) };
}

/** Returns the values that `renderMonitor` needs besides a monitor's row and the registration of its domain. */
export const shownWith = (backend: Backend): ShownWith => ({
  siteUrl: backend.siteUrl(),
  now: backend.deps.clock.now(),
  vault: backend.vault,
  nextCheckAt: (monitor, generation) => backend.nextCheckAt(monitor, generation),
  lastCheckedAt: (monitor, stored) => backend.lastCheckedAt(monitor, stored),
});

/** Resolves with the registrations of these monitors' domains, by the name of the domain. */
export async function registrationsOf(db: Store['db'], rows: readonly Pick<ShownRow, 'domain'>[]) {
  const names = [...new Set(rows.flatMap(({ domain }) => domain ?? []))];
  const known =
    names.length === 0
      ? []
      : await db.selectFrom('domain_registration').selectAll().where('name', 'in', names).execute();
  return new Map<string | null, (typeof known)[number]>(known.map((row) => [row.name, row]));
}
