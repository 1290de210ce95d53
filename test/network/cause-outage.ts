import { until } from '../faults/until.ts';
import type { World } from './world.ts';

/** The target that becomes unreachable, and the monitor that must report the outage. */
export const failing = { target: 0, name: 'http by address' };

/** An outage of the target, from its beginning until the monitor was up again. */
export interface Outage {
  from: number;
  until: number;
  /** The time from the beginning of the outage until the monitor was down. */
  detectedMs: number;
}

/**
 * Makes the target unreachable for a while. Throws if the monitor is not down within `boundMs`, or is not up within
 * `boundMs` after the target can be reached again.
 */
export async function causeOutage(world: World, boundMs: number): Promise<Outage> {
  const before = world.transitions.length;
  const from = Date.now();
  const find = (to: string) =>
    world.transitions.slice(before).find((transition) => transition.name === failing.name && transition.to === to);
  const seen = async (to: string) => {
    try {
      await until(`${failing.name} is ${to}`, boundMs, () => find(to) !== undefined);
    } catch (error) {
      const state = { transitions: world.transitions.slice(before), warnings: await world.warnings() };
      throw new Error(`${(error as Error).message}: ${JSON.stringify(state)}`, { cause: error });
    }
  };
  await world.setTarget(failing.target, false);
  await seen('down');
  await world.setTarget(failing.target, true);
  await seen('up');
  return { from, until: Date.now(), detectedMs: find('down')!.at - from };
}
