import { validateMonitor } from '@uptime/sdk/contract';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { initMonitor } from '../lifecycle/monitor-life.ts';
import { publicId } from '../store/public-id.ts';
import type { Store } from '../store/store.ts';
import type { MonitorStateTable } from '../store/tables.ts';
import { type TestDatabase } from './databases.ts';
import { monitorRow, projectRow } from './rows.ts';
import { createPageLoader } from '../status-page/load-page.ts';
import type { PageView } from '../status-page/view.ts';
import type { TestDatabaseKind } from './databases.ts';

export const noon = Date.UTC(2026, 10, 20, 12);

/** Opens a store from which tests load status pages. Call this function in a describe block. */
export function createLoadPageWorld(kind: TestDatabaseKind) {
  let database: TestDatabase;
  let store: Store;
  let made = 0;
  beforeAll(async () => {
    database = await kind.open();
    ({ store } = database);
  });
  afterAll(() => database.dispose());

  /** Makes a project and its status page with `count` new monitors. */
  const pageOf = async (count: number, now = noon) => {
    const project = `p${++made}`;
    const monitors = await store.write(async (trx) => {
      await trx.insertInto('project').values(projectRow(project)).execute();
      const { seq: page } = await trx
        .insertInto('status_page')
        .values({
          id: `pag_${project}`,
          project_id: project,
          name: project,
          slug: project,
          created_at: 0,
          updated_at: 0,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      const seqs: number[] = [];
      for (let position = 0; position < count; position++) {
        const { seq } = await trx
          .insertInto('monitor')
          .values(monitorRow(`${project}_${position}`, project, { type: 'ping' }))
          .returning('seq')
          .executeTakeFirstOrThrow();
        await initMonitor(trx, { seq, fields: pingFields(), now });
        await trx.insertInto('status_page_monitor').values({ page, monitor: seq, position }).execute();
        seqs.push(seq);
      }
      return seqs;
    });
    return { slug: project, project, monitors };
  };

  const setState = (monitor: number, change: Updateable<MonitorStateTable>) =>
    store.write((trx) => trx.updateTable('monitor_state').set(change).where('monitor', '=', monitor).execute());

  const addIncident = (project: string, fields: Record<string, number | string>, monitors: readonly number[] = []) =>
    storeIncident(store, { id: `inc_${++made}`, project }, fields, monitors);

  const load = async (slug: string, now: number): Promise<PageView> => {
    const view = await createPageLoader(store)(slug, now);
    if (!view) throw new Error('no such page');
    return view;
  };
  return {
    get store() {
      return store;
    },
    pageOf,
    setState,
    addIncident,
    load,
    titles,
  };
}

const storeIncident = (
  store: Store,
  { id, project }: { id: string; project: string },
  fields: Record<string, number | string>,
  monitors: readonly number[],
) =>
  store.write(async (trx) => {
    const { seq } = await trx
      .insertInto('incident')
      .values({
        id,
        public_id: publicId(id),
        project_id: project,
        title: 'Slow',
        status: 'investigating',
        maintenance: 0,
        started_at: noon,
        created_at: noon,
        updated_at: noon,
        named: monitors.length > 0 ? 1 : 0,
        ...fields,
      })
      .returning('seq')
      .executeTakeFirstOrThrow();
    const named = monitors.map((monitor, position) => ({ incident: seq, monitor, position }));
    if (named.length > 0) await trx.insertInto('incident_monitor').values(named).execute();
  });

/** The titles of the incidents in each list of a page. */
const titles = ({ open, current, planned, past }: PageView) =>
  Object.fromEntries(
    Object.entries({ open, current, planned, past }).map(([place, ones]) => [place, ones.map(({ title }) => title)]),
  );

function pingFields() {
  const parsed = validateMonitor({ type: 'ping', name: 'm', host: 'localhost' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
}
