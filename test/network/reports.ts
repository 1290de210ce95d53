import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../faults/until.ts';
import { failingResolver, silentResolver } from './faults.ts';
import type { World } from './world.ts';

/**
 * Whether a probe reports a fault that separated it from its server. The probe reports its latest checker fault. That
 * is a lost network, or a silent resolver if the check with this fault looked up a name.
 */
export const isReportedAfterCut = async (world: World, ms: number): Promise<boolean> =>
  isReported(world, new RegExp(`no network|${silentResolver.source}`), ms);

/** Whether health shows a report within `ms` milliseconds. */
export async function isReported(world: World, report: RegExp, ms: number): Promise<boolean> {
  const isShown = async () => (await world.warnings()).some((warning) => report.test(warning));
  for (const deadline = Date.now() + ms; Date.now() < deadline; await wait(100)) if (await isShown()) return true;
  return isShown();
}

/**
 * Makes the resolver fail until health reports this fault. A probe reports its latest fault for a minute. After this
 * call, the latest fault is the failing resolver. So an earlier report of a lost network cannot pass for a report of
 * the next fault.
 */
export async function showOtherReport(world: World, boundMs: number): Promise<void> {
  await world.setResolver('fails');
  await until('the failing resolver is reported', boundMs, () => isReported(world, failingResolver, 0));
  await world.setResolver('answers');
}
