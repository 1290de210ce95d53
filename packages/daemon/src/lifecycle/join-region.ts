import { activeMonitorTypes } from '@uptime/sdk/contract';
import { sql, type Transaction } from 'kysely';
import { reassign } from '../core/lifecycle.ts';
import { stateFromRow, stateToRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { eachConfig, lightConfig } from '../stored-monitors/each-config.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { regionNumber } from './regions.ts';

/**
 * The value of `seen_at` while a region is being added to all monitors that name no regions. From then on, new monitors
 * get the region at once. Older monitors get it in batches.
 */
export const joining = 1;

/**
 * Registers that a checker serves this region, and resolves with the number of the region. At the first call, adds the
 * region to every monitor that names no regions. This happens in batches, so that other daemons can record checks in
 * between.
 */
export async function joinRegion(store: Store, name: string, now: number): Promise<number> {
  const { region, isNew } = await store.write(async (trx) => {
    const region = await regionNumber(trx, name);
    const { seen_at: seenAt } = await trx
      .selectFrom('region')
      .select('seen_at')
      .where('id', '=', region)
      .executeTakeFirstOrThrow();
    const isNew = seenAt <= joining;
    await trx
      .updateTable('region')
      .set({ seen_at: isNew ? joining : now })
      .where('id', '=', region)
      .execute();
    return { region, isNew };
  });
  if (!isNew) return region;
  // If the process crashes during this loop, the next start begins the loop again.
  for await (const range of monitorRanges(store.db))
    await store.write((trx) => addRegion(store, trx, { range, region, now }), { durable: false });
  await store.write((trx) => trx.updateTable('region').set({ seen_at: now }).where('id', '=', region).execute());
  return region;
}

async function addRegion(
  store: Store,
  trx: Transaction<Tables>,
  { range, region, now }: { range: MonitorRange; region: number; now: number },
): Promise<void> {
  // This statement locks the rows, so that the next statement reads each monitor in its latest version.
  const rows = await trx
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor', '>=', range.first)
    .where('monitor', '<=', range.last)
    .orderBy('monitor')
    .modifyEnd(store.dialect.forUpdate)
    .execute();
  const monitors = await trx
    .selectFrom('monitor')
    .select(['seq', 'type', 'key', 'name', lightConfig, 'region_limit', 'project_id'])
    .where('seq', '>=', range.first)
    .where('seq', '<=', range.last)
    .where('type', 'in', activeMonitorTypes)
    .execute();
  const states = new Map(rows.map((row) => [row.monitor, stateFromRow(row)]));
  const added: { monitor: number; regions: string; project: string; paused: boolean }[] = [];
  await eachConfig(trx, monitors, (row) => {
    const { seq: monitor, region_limit: limit, project_id: project } = row;
    const state = states.get(monitor);
    if (!state || storedFields(row).regions.length > 0) return;
    const regions = Object.keys(state.regions).map(Number);
    if (regions.includes(region) || (limit !== null && regions.length >= limit)) return;
    const wider = stateToRow(reassign(state, [...regions, region])).regions;
    added.push({ monitor, regions: wider, project, paused: state.status === 'paused' });
  });
  if (added.length === 0) return;

  const views = added.map(({ monitor, regions }) => ({ monitor, regions }));
  const given = store.dialect.rows('given', { monitor: 'long', regions: 'text' }, views);
  await trx
    .updateTable('monitor_state')
    .from(given)
    .set((set) => ({ regions: set.ref('given.regions') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
  const active = added.filter(({ paused }) => !paused).map(({ monitor, project }) => ({ monitor, project }));
  if (active.length === 0) return;
  await trx
    .insertInto('schedule')
    .columns(['monitor', 'region', 'next_at', 'lease_until', 'project'])
    .expression(
      trx
        .selectFrom(store.dialect.rows('given', { monitor: 'long', project: 'text' }, active))
        .select([
          'monitor',
          sql.lit(region).as('region'),
          sql.lit(now).as('next_at'),
          sql.lit(0).as('lease_until'),
          'project',
        ])
        // Without this condition, SQLite would read `on conflict` as the condition of a join.
        .where(sql.lit(true)),
    )
    .onConflict((conflict) => conflict.columns(['monitor', 'region']).doNothing())
    .execute();
}
