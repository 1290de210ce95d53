import { activeMonitorTypes } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { reassign } from '../core/lifecycle.ts';
import { ServiceError } from '../errors.ts';
import { stateFromRow, stateToRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { eachConfig, lightConfig } from '../stored-monitors/each-config.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { silentAfterMs } from './regions.ts';

/**
 * Removes a region that nothing serves any more. Monitors that name no regions lose it, and lists and metrics no longer
 * show it. Monitors that name the region keep the name. If a probe or a daemon serves the region again, the region comes
 * back. Throws `not_found`, and `conflict` while the region reports.
 */
export async function removeRegion(store: Store, name: string, now: number): Promise<void> {
  const region = await store.write(async (trx) => {
    const row = await trx.selectFrom('region').select(['id', 'seen_at']).where('name', '=', name).executeTakeFirst();
    if (!row || row.seen_at === 0) throw new ServiceError('not_found', `No daemon or probe has served ${name}.`);
    if (row.seen_at >= now - silentAfterMs)
      throw new ServiceError('conflict', `The region ${name} reports now. Stop its daemon and its probes first.`);
    // From now on, new monitors do not get the region.
    await trx.updateTable('region').set({ seen_at: 0, silent_since: null }).where('id', '=', row.id).execute();
    await trx.deleteFrom('probe').where('region', '=', row.id).execute();
    return row.id;
  });
  for await (const range of monitorRanges(store.db))
    await store.write((trx) => removeFrom(store, trx, { range, region }), { durable: false });
}

async function removeFrom(
  store: Store,
  trx: Transaction<Tables>,
  { range, region }: { range: MonitorRange; region: number },
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
    .select(['seq', 'type', 'key', 'name', lightConfig])
    .where('seq', '>=', range.first)
    .where('seq', '<=', range.last)
    .where('type', 'in', activeMonitorTypes)
    .execute();
  const states = new Map(rows.map((row) => [row.monitor, stateFromRow(row)]));
  const changed: { monitor: number; regions: string }[] = [];
  await eachConfig(trx, monitors, (row) => {
    const state = states.get(row.seq);
    if (!state || !(region in state.regions) || storedFields(row).regions.length > 0) return;
    const left = Object.keys(state.regions)
      .map(Number)
      .filter((one) => one !== region);
    changed.push({ monitor: row.seq, regions: stateToRow(reassign(state, left)).regions });
  });
  if (changed.length === 0) return;
  await trx
    .updateTable('monitor_state')
    .from(store.dialect.rows('given', { monitor: 'long', regions: 'text' }, changed))
    .set((set) => ({ regions: set.ref('given.regions') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
  await trx
    .deleteFrom('schedule')
    .where('region', '=', region)
    .where(
      'monitor',
      'in',
      changed.map(({ monitor }) => monitor),
    )
    .execute();
}
