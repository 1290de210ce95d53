import { until } from '../faults/until.ts';
import type { NetworkFault } from './faults.ts';
import type { World } from './world.ts';

/** The target that becomes unreachable, and the monitor that must report the outage. */
const failing = { target: 0, name: 'http by address' };

export interface FaultOutcome {
  /** Monitors that went down although their targets were up. */
  falseAlarms: { name: string; error: string }[];
  /** For each outage: the time from its beginning until the monitor was down. */
  detectedMs: number[];
  /** Whether health reported the fault during the fault. */
  reported: boolean;
}

/**
 * Causes one fault for a while, and an outage of one target after the fault. If targets stay reachable during the
 * fault, causes an outage during the fault too. Throws if an outage is not reported within `boundMs`.
 */
export async function tryFault(
  world: World,
  fault: NetworkFault,
  { boundMs, lastsMs }: { boundMs: number; lastsMs: number },
): Promise<FaultOutcome> {
  const from = world.transitions.length;
  const detectedMs: number[] = [];
  const seen = async (what: string, condition: () => boolean) => {
    try {
      await until(`${failing.name} is ${what}`, boundMs, condition);
    } catch (error) {
      const state = { transitions: world.transitions.slice(from), warnings: await world.warnings() };
      throw new Error(`${(error as Error).message}: ${JSON.stringify(state)}`, { cause: error });
    }
  };
  const outage = async () => {
    const before = world.transitions.length;
    const begun = Date.now();
    const find = (to: string) =>
      world.transitions.slice(before).find((transition) => transition.name === failing.name && transition.to === to);
    await world.setTarget(failing.target, false);
    await seen('down', () => find('down') !== undefined);
    detectedMs.push(find('down')!.at - begun);
    await world.setTarget(failing.target, true);
    await seen('up again', () => find('up') !== undefined);
  };

  await fault.begin(world);
  const begun = Date.now();
  let reported = false;
  if (fault.leavesTargets) await outage();
  do {
    const warnings = await world.warnings();
    reported ||= warnings.some((warning) => /no network|own resolver/.test(warning));
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (Date.now() - begun < lastsMs);
  await fault.end(world);
  // By the time this outage is found, all checks that began during the fault have ended. So no false alarm can follow.
  await outage();
  const falseAlarms = world.transitions
    .slice(from)
    .filter(({ name, to }) => to === 'down' && name !== failing.name)
    .map(({ name, error }) => ({ name, error: JSON.stringify(error) }));
  const ofFailing = world.transitions.slice(from).filter(({ name, to }) => name === failing.name && to === 'down');
  for (const { name, error } of ofFailing.slice(detectedMs.length))
    falseAlarms.push({ name, error: JSON.stringify(error) });
  return { falseAlarms, detectedMs, reported };
}
