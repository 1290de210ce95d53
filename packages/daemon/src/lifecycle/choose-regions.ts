/** A region that may check monitors that name no regions. */
export interface UsableRegion {
  id: number;
  /** Whether a daemon or a probe serves the region now. */
  served: boolean;
  /** Whether nothing has reported from the region for `silentAfterMs`. */
  silent: boolean;
}

/**
 * Returns the regions of a monitor that names no regions.
 *
 * - `has`: the present regions of the monitor.
 * - `limit`: the maximum number of regions that the monitor's plan allows; null for no limit.
 * - `usable`: the regions that the monitor may have, with the served regions first.
 *
 * A monitor without a limit gets all usable regions, and keeps its present regions, even retired ones. A monitor with a
 * limit loses retired regions. It keeps silent regions while at least one of its regions reports. If all its regions
 * are silent, it gets a served region, even if it then loses a silent region.
 */
export function chooseRegions(
  has: readonly number[],
  { limit, usable }: { limit: number | null; usable: readonly UsableRegion[] },
): number[] {
  const kept = usable.filter(({ id }) => has.includes(id));
  const [next, ...others] = usable.filter(({ id }) => !has.includes(id));
  if (limit === null) return [...new Set([...has, ...usable.map(({ id }) => id)])];
  if (next === undefined) return numbersOf(kept, limit);
  const isUnserved = next.served && kept.every(({ silent }) => silent);
  return numbersOf(isUnserved ? [next, ...kept, ...others] : [...kept, next, ...others], limit);
}

const numbersOf = (regions: readonly UsableRegion[], limit: number) => regions.slice(0, limit).map(({ id }) => id);
