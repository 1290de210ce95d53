import type { Transaction } from 'kysely';
import type { Generations } from '../core/generations.ts';
import type { ProbeResult } from '../probe-protocol.ts';
import type { Tables } from '../store/tables.ts';
import { eachConfig, lightConfig } from '../stored-monitors/each-config.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';

/** The facts of a monitor that decide what happens to its results. */
export interface KnownMonitor extends Generations {
  createdAt: number;
  /** In seconds. */
  interval: number;
}

/** Returns the facts of each monitor that the results name and that this region checks. */
export async function knownMonitors(
  trx: Transaction<Tables>,
  region: number,
  results: readonly Pick<ProbeResult, 'monitor'>[],
): Promise<Map<number, KnownMonitor>> {
  const monitors = [...new Set(results.map(({ monitor }) => monitor))];
  const found = new Map<number, KnownMonitor>();
  if (monitors.length === 0) return found;
  const rows = await trx
    .selectFrom('monitor')
    .innerJoin('schedule', 'schedule.monitor', 'monitor.seq')
    .select(['seq', 'generation', 'target_generation as targetGeneration', 'created_at as createdAt'])
    .select(['type', 'key', 'name', ...lightConfig])
    .where('schedule.region', '=', region)
    .where('seq', 'in', monitors)
    .execute();
  await eachConfig(trx, rows, (row) => {
    const { generation, targetGeneration, createdAt } = row;
    found.set(row.seq, { generation, targetGeneration, createdAt, interval: storedFields(row).interval });
  });
  return found;
}
