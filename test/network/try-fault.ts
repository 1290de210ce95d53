import { setTimeout as wait } from 'node:timers/promises';
import { causeOutage, failing, type Outage } from './cause-outage.ts';
import type { NetworkFault } from './faults.ts';
import type { StoredFailure } from './monitors.ts';
import { isReported, isReportedAfterCut, showOtherReport } from './reports.ts';
import type { World } from './world.ts';

export interface FaultOutcome {
  /** Monitors that went down although their targets were up. */
  falseAlarms: { name: string; error: string }[];
  /** Stored failures of monitors whose targets were up. */
  storedFailures: StoredFailure[];
  /** For each outage, the time from the beginning of the outage until the monitor was down. */
  detectedMs: number[];
  /** Whether health reported the fault. */
  reported: boolean;
}

/**
 * Causes one fault for a while, and an outage of one target after the fault. If targets stay reachable during the
 * fault, causes an outage during the fault too. Throws if an outage is not reported within `boundMs`.
 *
 * A daemon must report the fault within `lastsMs`. A probe must report it within `boundMs`, because the report reaches
 * the server a few seconds later. If the fault separates the probe from its server, this time begins after the fault.
 */
export async function tryFault(
  world: World,
  fault: NetworkFault,
  { boundMs, lastsMs }: { boundMs: number; lastsMs: number },
): Promise<FaultOutcome> {
  const isCutOff = world.checker === 'probe' && fault.cutsLink === true;
  if (isCutOff) await showOtherReport(world, boundMs);
  const before = world.transitions.length;
  const startedAt = Date.now();
  const outages: Outage[] = [];

  await fault.begin(world);
  const lasts = wait(lastsMs);
  if (fault.leavesTargets) outages.push(await causeOutage(world, boundMs));
  const reportMs = world.checker === 'probe' ? boundMs : lastsMs;
  const reportedMeanwhile = !isCutOff && (await isReported(world, fault.report, reportMs));
  await lasts;
  await fault.end(world);
  const reported = isCutOff ? await isReportedAfterCut(world, boundMs) : reportedMeanwhile;
  // By the time this outage is found, all checks that began during the fault have ended. A probe sends results in their
  // order, so all results of these checks have arrived too.
  outages.push(await causeOutage(world, boundMs));

  const isOfOutage = ({ name, at }: StoredFailure) =>
    name === failing.name && outages.some((outage) => at >= outage.from && at <= outage.until);
  const storedFailures = (await world.failuresSince(startedAt)).filter((failure) => !isOfOutage(failure));
  const downs = world.transitions.slice(before).filter(({ to }) => to === 'down');
  const ofOthers = downs.filter(({ name }) => name !== failing.name);
  const tooMany = downs.filter(({ name }) => name === failing.name).slice(outages.length);
  const falseAlarms = [...ofOthers, ...tooMany].map(({ name, error }) => ({ name, error: JSON.stringify(error) }));
  return { falseAlarms, storedFailures, detectedMs: outages.map(({ detectedMs }) => detectedMs), reported };
}
