import { sql } from 'kysely';
import { nextCheckAt, phaseOf } from '../../packages/daemon/src/core/schedule.ts';
import { initMonitor } from '../../packages/daemon/src/lifecycle/monitor-life.ts';
import { fieldColumns } from '../../packages/daemon/src/stored-monitors/stored-monitor.ts';
import type { Store } from '../../packages/daemon/src/store/store.ts';
import { validateMonitor } from '../../packages/sdk/src/contract/index.ts';

/** The number of the first region of a database. */
export const region = 1;
/** This word in the address stands for the number of the monitor. */
const placeholder = 'number';
const maxRowsAtOnce = 500;

/**
 * Stores many monitors that are up, as after their first check. The daemon's own code creates the first monitor, and
 * the others are copies of it. Monitor `n` requests `<target>/<n>`. The next checks are due at times spread over an
 * interval that begins at `firstAt`, in epoch milliseconds.
 */
export async function fillMonitors(store: Store, { target, monitors, intervalSeconds, firstAt }: Fleet): Promise<void> {
  const url = `${target}/${placeholder}`;
  const parsed = validateMonitor({ type: 'http', name: 'target', url, interval: intervalSeconds, timeout: 10 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const fields = parsed.value;
  const now = Date.now();
  await store.db.insertInto('region').values({ name: 'default', seen_at: 1 }).execute();
  await store.db
    .insertInto('project')
    .values({ id: 'prj', user_id: 'u', name: 'p', api_key: 'k', created_at: 0, updated_at: 0 })
    .execute();
  await store.write(async (trx) => {
    const first = { id: 'mon_1', project_id: 'prj', ...fieldColumns(fields), generation: 0, token: null };
    const { seq } = await trx
      .insertInto('monitor')
      .values({ ...first, seq: 1, created_at: now, updated_at: now })
      .returning('seq')
      .executeTakeFirstOrThrow();
    await initMonitor(trx, { seq, fields, now });
    const passed = { [region]: { at: now, failed: false, round: 'due', began: null } };
    await trx
      .updateTable('monitor_state')
      .set({ status: 'up', regions: JSON.stringify(passed), last_checked_at: now })
      .execute();
  });
  await store.write(async (trx) => {
    const copy = async (table: 'monitor' | 'monitor_state', changed: Record<string, ReturnType<typeof sql>>) => {
      const row = await trx.selectFrom(table).selectAll().executeTakeFirstOrThrow();
      const columns = Object.keys(row);
      const values = columns.map((column) => changed[column] ?? sql.ref(column));
      await sql`with recursive number (n) as (select 2 union all select n + 1 from number where n < ${sql.lit(monitors)})
        insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
        select ${sql.join(values)} from ${sql.table(table)}, number where ${sql.lit(monitors)} > 1`.execute(trx);
    };
    const path = (n: ReturnType<typeof sql>) => sql`replace(config, ${sql.lit(`/${placeholder}`)}, '/' || ${n})`;
    await copy('monitor', { seq: sql`n`, id: sql`'mon_' || n`, config: path(sql`n`) });
    await copy('monitor_state', { monitor: sql`n` });
    await sql`update monitor set config = ${path(sql`seq`)} where seq = 1`.execute(trx);

    const interval = intervalSeconds * 1000;
    const due = (monitor: number) => nextCheckAt(firstAt, interval, phaseOf(monitor, region, interval));
    await trx.deleteFrom('schedule').execute();
    for (let from = 1; from <= monitors; from += maxRowsAtOnce) {
      const count = Math.min(maxRowsAtOnce, monitors - from + 1);
      const rows = Array.from({ length: count }, (_, at) => ({
        monitor: from + at,
        region,
        next_at: due(from + at),
        lease_until: 0,
        project: 'prj',
      }));
      await trx.insertInto('schedule').values(rows).execute();
    }
  });
}

export interface Fleet {
  target: string;
  monitors: number;
  intervalSeconds: number;
  firstAt: number;
}
