import type { Monitor } from '@uptime/sdk';
import type { Wanted } from '../manifest/item.ts';

/** Which monitor of the server each wanted one is. */
export interface Matched {
  pairs: Map<Wanted, Monitor>;
  /** Monitors of the server that no wanted one is. */
  left: Monitor[];
  /** Wanted monitors whose name fits several on the server. */
  ambiguous: { wanted: Wanted; candidates: Monitor[] }[];
}

/**
 * Finds each wanted monitor on the server: (1) by `key`; (2) those without a key by name; (3) one whose key the server
 * does not have yet takes over the monitor of its name that has no key, so that giving a key to what exists keeps its history.
 */
export function match(wanted: readonly Wanted[], monitors: readonly Monitor[]): Matched {
  const pairs = new Map<Wanted, Monitor>();
  const ambiguous: Matched['ambiguous'] = [];
  const left = new Set(monitors);
  const pair = (item: Wanted, monitor: Monitor) => {
    pairs.set(item, monitor);
    left.delete(monitor);
  };

  const byKey = new Map(monitors.filter(({ key }) => key != null).map((monitor) => [monitor.key, monitor]));
  const keyed = wanted.filter(({ value }) => value.key !== null);
  for (const item of keyed) {
    const found = byKey.get(item.value.key);
    if (found) pair(item, found);
  }

  const byName = Map.groupBy(monitors, ({ name }) => name);
  const takeByName = (item: Wanted, fits: (monitor: Monitor) => boolean) => {
    const candidates = (byName.get(item.value.name) ?? []).filter((monitor) => left.has(monitor) && fits(monitor));
    if (candidates.length > 1) ambiguous.push({ wanted: item, candidates });
    else if (candidates[0]) pair(item, candidates[0]);
  };
  for (const item of wanted) if (item.value.key === null) takeByName(item, () => true);
  for (const item of keyed) if (!pairs.has(item)) takeByName(item, ({ key }) => key == null);

  return { pairs, left: [...left], ambiguous };
}
