import type { Monitor, Region, Uptime } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import { fewNames } from '../../nouns/few-names.ts';
import { noRegionReason } from '../../gaps/regions.ts';
import type { Finding } from './finding.ts';

/** Maximum number of monitors whose regions doctor reads, one request each. */
const maxRead = 20;

/**
 * Finds monitors that name no region and are not checked. If a monitor names no region, the server chooses its regions;
 * under a plan, it chooses only a few. If no daemon or probe serves any of the chosen regions, the monitor is not
 * checked. A list of monitors does not show these regions, so each overdue monitor is read by its id.
 */
export async function findUnservedMonitors(
  client: Uptime,
  { monitors, regions, signal }: { monitors: readonly Monitor[]; regions: readonly Region[]; signal: AbortSignal },
): Promise<Finding[]> {
  const everywhere = monitors.filter((one) => !isPassive(one) && (one.regions ?? []).length === 0);
  if (everywhere.length === 0) return [];
  const next = 'start a daemon or a probe, or ask the operator of the server';
  const reason = noRegionReason(regions);
  if (reason !== null) return [{ what: 'regions', state: 'warning', says: reason, next }];
  const served = new Set(regions.flatMap((region) => (region.served ? region.name : [])));
  const unserved: string[] = [];
  for (const { id, name } of everywhere.filter((one) => isOverdue(one, Date.now())).slice(0, maxRead)) {
    const { regionResults = [] } = await client.monitors.get(id, { signal });
    if (!regionResults.some(({ region }) => served.has(region))) unserved.push(name);
  }
  if (unserved.length === 0) return [];
  const says = `no daemon or probe serves the regions that the server chose for ${unserved.length} monitor(s): ${fewNames(unserved)}`;
  const retire = `name a served region in these monitors (${[...served].join(', ')}), or ask the operator to retire the regions that nothing serves`;
  return [{ what: 'regions', state: 'warning', says, next: retire }];
}

/** Whether no region has checked a monitor for three intervals. */
const isOverdue = ({ lastCheckedAt, interval }: Monitor, now: number): boolean =>
  lastCheckedAt === null || Date.parse(lastCheckedAt) < now - 3 * interval * 1000;
