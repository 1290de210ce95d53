import type { Region } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import { kinds } from '../kinds/index.ts';
import type { Remote } from '../kinds/kind.ts';
import { type Diagnostic, sortDiagnostics } from '../manifest/diagnostic.ts';
import { monitorsOf, type Wanted } from '../manifest/item.ts';
import { plain } from '../output.ts';
import type { Plan } from '../plan/change.ts';
import { noRegionReason, unservedReason } from './regions.ts';
import { ruleOf, watchesForDown } from './watches.ts';

/**
 * Returns a warning for each region that a monitor names, but no daemon or probe serves. If no region is served at all,
 * also returns a warning for the first monitor that names no region. Each warning has its place in the manifest.
 */
export function unservedRegions(items: readonly Wanted[], regions: readonly Region[], now: number): Diagnostic[] {
  const gaps = monitorsOf(items).flatMap(({ value, given, place }) =>
    (value.paused ? [] : value.regions).flatMap((name) => {
      const reason = unservedReason(name, regions, now);
      if (reason === null) return [];
      // `value` names each region only once, so its indexes may differ from those of the manifest.
      const index = (given['regions'] as string[]).indexOf(name);
      return [{ ...place(`regions.${index}`), message: reason }];
    }),
  );
  const everywhere = monitorsOf(items).find(
    ({ value }) => !value.paused && !isPassive(value) && value.regions.length === 0,
  );
  const reason = noRegionReason(regions);
  if (everywhere && reason !== null) gaps.push({ ...everywhere.place(''), message: reason });
  return sortDiagnostics(gaps);
}

/**
 * Returns the monitors of a manifest that no rule will watch after the plan is applied. `rules` are the rules on the
 * server.
 */
export function unwatchedMonitors(items: readonly Wanted[], plan: Plan, rules: readonly Remote[]): Diagnostic[] {
  const { wanted: watched, ids } = watchedBy(plan, rules);
  const idOf = new Map<unknown, string>(
    [...plan.unchanged, ...plan.changes].flatMap((one) =>
      'wanted' in one && 'current' in one ? [[one.wanted, one.current.id] as const] : [],
    ),
  );
  const gaps = monitorsOf(items)
    .filter((item) => !item.value.paused && !watched.has(item) && !ids.has(idOf.get(item) ?? ''))
    .map(({ value, place }) => ({
      ...place(''),
      message: `no alert rule watches ${JSON.stringify(plain(value.name))}: no one is notified when it goes down`,
    }));
  return sortDiagnostics(gaps);
}

/**
 * Returns the monitors that rules will watch after the plan is applied: items of the manifest, and ids of monitors on
 * the server.
 */
function watchedBy({ changes }: Plan, rules: readonly Remote[]): { wanted: Set<unknown>; ids: Set<string> } {
  const wanted = new Set<unknown>();
  const ids = new Set<string>();
  const touched = new Set<string>();
  for (const change of changes) {
    if (change.kind !== kinds.alertRule) continue;
    const current = change.action === 'create' ? null : change.current;
    if (current) touched.add(current.id);
    if (change.action === 'delete') continue;
    const { monitors = [], channels } = change.targets;
    // If the plan replaces a monitor, it also updates rules outside of the manifest that refer to the monitor. For such
    // a rule, only the monitors change. The other fields stay as they are on the server.
    const after = ruleOf(current, change.wanted.value);
    const channelIds = channels ? channels.map(({ name }) => name) : after.channelIds;
    if (!watchesForDown({ ...after, channelIds })) continue;
    for (const target of monitors) {
      if (target.wanted) wanted.add(target.wanted);
      if (target.current) ids.add(target.current.id);
    }
  }
  for (const rule of rules.filter(({ id }) => !touched.has(id)).map((remote) => ruleOf(remote))) {
    if (watchesForDown(rule)) rule.monitorIds.forEach((id) => ids.add(id));
  }
  return { wanted, ids };
}
