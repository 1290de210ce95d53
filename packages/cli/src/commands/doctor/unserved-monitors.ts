import type { Monitor, Region, Uptime } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import { fewNames } from '../../nouns/few-names.ts';
import { noRegionReason } from '../../gaps/regions.ts';
import type { Finding } from './finding.ts';

/** Maximum number of monitors whose regions doctor reads, one request each. */
const maxRead = 20;

/**
 * Finds monitors that name no region, and that are not checked because no daemon or probe serves any of their regions.
 * Under a plan, the server chooses a few regions for each of these monitors. A list of monitors does not show them.
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
  const says = `no daemon or probe serves a region of ${unserved.length} monitor(s) that name no region: ${fewNames(unserved)}`;
  const retire = `name a served region in these monitors (${[...served].join(', ')}), or ask the operator to retire the regions that nothing serves`;
  return [{ what: 'regions', state: 'warning', says, next: retire }];
}

/** Whether no region has checked a monitor for three intervals. */
const isOverdue = ({ lastCheckedAt, interval }: Monitor, now: number): boolean =>
  lastCheckedAt === null || Date.parse(lastCheckedAt) < now - 3 * interval * 1000;
