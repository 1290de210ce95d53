import { isPassive } from '@uptime/sdk/contract';
import type { Context } from '../context.ts';
import { kinds } from '../kinds/index.ts';
import { readIfKnown } from '../kinds/read-all.ts';
import { type Diagnostic, formatDiagnostic } from '../manifest/diagnostic.ts';
import { monitorsOf } from '../manifest/item.ts';
import type { PreparedPlan } from '../plan/make.ts';
import { unservedRegions, unwatchedMonitors } from './plan-gaps.ts';
import { readRegions } from './regions.ts';

/** Gaps of a manifest: regions that no daemon or probe serves, and monitors that no rule watches. */
export interface Gaps {
  regions: Diagnostic[];
  unwatched: Diagnostic[];
}

/**
 * Finds the gaps of a manifest. Reads the regions from the server, and also the rules if the plan has not read them. If
 * a server cannot list regions or rules, no gap is reported for them.
 */
export async function readGaps(
  { client, items, plan, remotes }: Pick<PreparedPlan, 'client' | 'items' | 'plan' | 'remotes'>,
  { signal }: Pick<Context, 'signal'>,
): Promise<Gaps> {
  const monitors = monitorsOf(items);
  if (monitors.length === 0) return { regions: [], unwatched: [] };
  const isChecked = monitors.some(({ value }) => !value.paused && (value.regions.length > 0 || !isPassive(value)));
  const rules = remotes.get(kinds.alertRule) ?? (await readIfKnown(kinds.alertRule, client, signal));
  const regions = isChecked ? await readRegions(client, signal) : [];
  return {
    regions: regions === null ? [] : unservedRegions(items, regions, Date.now()),
    unwatched: 'unknown' in rules ? [] : unwatchedMonitors(items, plan, 'remotes' in rules ? rules.remotes : rules),
  };
}

/** Maximum number of unwatched monitors that are named one by one. A longer list would hide the other output. */
const maxListed = 5;

/**
 * Prints warnings on standard error: about regions that no daemon or probe serves, and about monitors that no alert
 * rule watches. A warning about one region or monitor shows its line in the manifest.
 */
export function sayGaps({ regions, unwatched }: Gaps, { io }: Pick<Context, 'io'>): void {
  const say = (text: string) => io.say(`${io.err.yellow('warning:')} ${text}`);
  regions.forEach((gap) => say(formatDiagnostic(gap)));
  unwatched.slice(0, maxListed).forEach((gap) => say(formatDiagnostic(gap)));
  const more = unwatched.length - maxListed;
  if (more > 0) say(`${more} more ${more === 1 ? 'monitor has' : 'monitors have'} no alert rule either`);
  if (unwatched.length > 0) io.say('  add these monitors to a rule under `alertRules`, or type `uptime rules create`');
}
