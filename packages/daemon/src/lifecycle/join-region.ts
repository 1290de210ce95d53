import { activeMonitorTypes } from '@uptime/sdk/contract';
import { reassign } from '../core/lifecycle.ts';
import { stateFromRow, stateToRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { regionNumber } from './regions.ts';

/** Registers that a checker serves this region. The first time, every monitor that names no regions gets it. */
export async function joinRegion(store: Store, name: string, now: number): Promise<number> {
  return store.write(async (trx) => {
    const region = await regionNumber(trx, name);
    const { seen_at: seenAt } = await trx
      .selectFrom('region')
      .select('seen_at')
      .where('id', '=', region)
      .executeTakeFirstOrThrow();
    await trx.updateTable('region').set({ seen_at: now }).where('id', '=', region).execute();
    // A daemon that was killed could not give its claims back.
    if (store.dialect.exclusive)
      await trx.updateTable('schedule').set({ lease_until: 0 }).where('region', '=', region).execute();
    if (seenAt > 0) return region;

    const monitors = await trx
      .selectFrom('monitor')
      .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
      .selectAll('monitor_state')
      .select(['type', 'key', 'name', 'config', 'region_limit', 'project_id'])
      .where('type', 'in', activeMonitorTypes)
      .execute();
    for (const row of monitors) {
      if (storedFields(row).regions.length > 0) continue;
      const state = stateFromRow(row);
      const regions = Object.keys(state.regions).map(Number);
      if (row.region_limit !== null && regions.length >= row.region_limit) continue;
      const wider = reassign(state, [...regions, region]);
      await trx
        .updateTable('monitor_state')
        .set({ regions: stateToRow(wider).regions })
        .where('monitor', '=', row.monitor)
        .execute();
      if (state.status === 'paused') continue;
      const { monitor, project_id: project } = row;
      await trx.insertInto('schedule').values({ monitor, region, next_at: now, lease_until: 0, project }).execute();
    }
    return region;
  });
}
