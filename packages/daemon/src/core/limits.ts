import { isPassive, type MonitorType } from '@uptime/sdk/contract';

/** The limits of an account's plan. */
export interface Allowance {
  /** Maximum number of monitors in all projects of an account. */
  monitors: number;
  /** Shortest check interval, in seconds. */
  checkInterval: number;
  /** Maximum number of regions of one monitor. */
  regions: number;
}

export type Limit = keyof Allowance;

/** The monitor's fields on which the limits depend. */
export interface Measured {
  type: MonitorType;
  interval: number;
  regions: readonly string[];
}

/**
 * Returns what a single monitor needs from a plan: its interval and its number of regions. A passive monitor is not
 * checked, so the limits on intervals and regions do not apply to it.
 */
export const needOf = (monitor: Measured): Omit<Allowance, 'monitors'> =>
  isPassive(monitor)
    ? { checkInterval: Infinity, regions: 0 }
    : { checkInterval: monitor.interval, regions: monitor.regions.length };

/** Returns the limits that `asked` exceeds. A limit without a value in `asked` is not exceeded. */
export const limitsBeyond = (asked: Partial<Allowance>, allowed: Allowance): Limit[] =>
  limits.filter((limit) => !suffices(limit, asked[limit], allowed[limit]));

const limits: readonly Limit[] = ['monitors', 'checkInterval', 'regions'];

const suffices = (limit: Limit, asked: number | undefined, allowed: number): boolean =>
  asked === undefined || (limit === 'checkInterval' ? asked >= allowed : asked <= allowed);

/**
 * Returns the monitors of an account that may not run under its plan. These are the monitors that exceed a limit by
 * themselves. If the remaining monitors are too many, the youngest of them may not run either. `monitors` are in order
 * of age, oldest first.
 */
export function beyondPlan<M extends Measured>(monitors: readonly M[], allowed: Allowance): M[] {
  let places = allowed.monitors;
  return monitors.filter((monitor) => limitsBeyond(needOf(monitor), allowed).length > 0 || places-- <= 0);
}
