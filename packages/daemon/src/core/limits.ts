/** What a plan allows. */
export interface Allowance {
  /** Monitors, over all projects of an account. */
  monitors: number;
  /** Shortest check interval, in seconds. */
  checkInterval: number;
  /** Regions that a monitor may name. */
  regions: number;
}

export type Limit = keyof Allowance;

/** As much of a monitor as limits look at. */
export interface Measured {
  type: string;
  interval: number;
  regions: readonly string[];
}

/** What one monitor by itself asks for. A heartbeat is not checked: no interval is too short for it, and nowhere. */
export const needOf = ({ type, interval, regions }: Measured): Omit<Allowance, 'monitors'> =>
  type === 'heartbeat' ? { checkInterval: Infinity, regions: 0 } : { checkInterval: interval, regions: regions.length };

/** Which limits of an allowance are too small for what is asked; what is not said is not asked. */
export const limitsBeyond = (asked: Partial<Allowance>, allowed: Allowance): Limit[] =>
  limits.filter((limit) => !suffices(limit, asked[limit], allowed[limit]));

const limits: readonly Limit[] = ['monitors', 'checkInterval', 'regions'];

const suffices = (limit: Limit, asked: number | undefined, allowed: number): boolean =>
  asked === undefined || (limit === 'checkInterval' ? asked >= allowed : asked <= allowed);

/**
 * Which of an account's monitors, oldest first, a plan leaves no place for: those that by themselves ask for more than
 * it allows, and of the others all but the oldest.
 */
export function beyondPlan<M extends Measured>(monitors: readonly M[], allowed: Allowance): M[] {
  let places = allowed.monitors;
  return monitors.filter((monitor) => limitsBeyond(needOf(monitor), allowed).length > 0 || places-- <= 0);
}
