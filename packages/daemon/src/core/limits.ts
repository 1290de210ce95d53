import { isPassive, type MonitorType } from '@uptime/sdk/contract';

/** The limits of a plan. */
export interface Allowance {
  /** Monitors, over all projects of an account. */
  monitors: number;
  /** Shortest check interval, in seconds. */
  checkInterval: number;
  /** Regions that a monitor may name. */
  regions: number;
}

export type Limit = keyof Allowance;

/** The parts of a monitor that limits depend on. */
export interface Measured {
  type: MonitorType;
  interval: number;
  regions: readonly string[];
}

/** The needs of a single monitor. A passive monitor is not checked, so it needs no interval and no regions. */
export const needOf = (monitor: Measured): Omit<Allowance, 'monitors'> =>
  isPassive(monitor)
    ? { checkInterval: Infinity, regions: 0 }
    : { checkInterval: monitor.interval, regions: monitor.regions.length };

/** The limits of an allowance that are too small for what is asked. Missing values ask for nothing. */
export const limitsBeyond = (asked: Partial<Allowance>, allowed: Allowance): Limit[] =>
  limits.filter((limit) => !suffices(limit, asked[limit], allowed[limit]));

const limits: readonly Limit[] = ['monitors', 'checkInterval', 'regions'];

const suffices = (limit: Limit, asked: number | undefined, allowed: number): boolean =>
  asked === undefined || (limit === 'checkInterval' ? asked >= allowed : asked <= allowed);

/**
 * The monitors of an account that do not fit its plan: those that exceed it by themselves, and the youngest of the
 * others. `monitors` are in order of age, oldest first.
 */
export function beyondPlan<M extends Measured>(monitors: readonly M[], allowed: Allowance): M[] {
  let places = allowed.monitors;
  return monitors.filter((monitor) => limitsBeyond(needOf(monitor), allowed).length > 0 || places-- <= 0);
}
