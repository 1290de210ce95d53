import type { Usage } from '@uptime/sdk';
import { CliError } from '../exit.ts';
import type { KindName } from '../kinds/kind.ts';
import { type Diagnostic, formatDiagnostic } from '../manifest/diagnostic.ts';
import type { Change, Plan } from '../plan/change.ts';
import { amountOf, type UsedLimit, wordsOf } from './read-usage.ts';

type Adding = Exclude<Change, { action: 'delete' }>;

/** The effect of a plan on one limit. */
export interface PlannedUse extends UsedLimit {
  limit: number;
  /** The changes that take one more place each, in their order. */
  adding: Adding[];
  /** The use after the plan is applied. */
  after: number;
}

const limitOf: Record<KindName, UsedLimit['name']> = {
  monitor: 'monitors',
  channel: 'channels',
  alertRule: 'alertRules',
  statusPage: 'statusPages',
  maintenanceWindow: 'maintenanceWindows',
};

/** Returns how much the changes of a plan use of each limit that they touch. Empty if nothing is limited. */
export function usageOfPlan({ changes }: Pick<Plan, 'changes'>, usage: Usage): PlannedUse[] {
  return usage.limits.flatMap((of): PlannedUse[] => {
    const { name, used, limit } = of;
    if (limit === null) return [];
    const adding = changes.filter((change): change is Adding => adds(change, name));
    const deleted = changes.filter(({ action, kind }) => action === 'delete' && limitOf[kind.name] === name);
    if (adding.length + deleted.length === 0) return [];
    return [{ ...of, limit, adding, after: used + adding.length - deleted.length }];
  });
}

function adds(change: Change, limit: UsedLimit['name']): boolean {
  const { action, kind } = change;
  if (limit !== 'customDomains') return action === 'create' && limitOf[kind.name] === limit;
  if (kind.name !== 'statusPage') return false;
  if (action === 'create') return typeof change.wanted.value['customDomain'] === 'string';
  return (
    action === 'update' &&
    change.fields.some(({ at, from, to }) => at[0] === 'customDomain' && from == null && to != null)
  );
}

/** `Uses monitors 12 of 20, channels 3 of 5 (plan Free).`; empty where the plan touches no limit. */
export function sayUsage(planned: readonly PlannedUse[], { plan }: Usage): string {
  if (planned.length === 0) return '';
  const each = planned.map((of) => `${wordsOf(of)} ${of.after} of ${amountOf(of, of.limit)}`);
  return `Uses ${each.join(', ')}${plan === null ? '' : ` (plan ${plan})`}.`;
}

/**
 * Throws a CliError that names every limit that an apply would pass, at the first item that has no place. Deletions
 * come last in an apply, so that they make no room.
 */
export function refuseBeyondLimits(planned: readonly PlannedUse[], { plan }: Usage): void {
  const beyond = planned.filter(({ used, adding, limit }) => adding.length > 0 && used + adding.length > limit);
  if (beyond.length === 0) return;
  const lines = beyond.map((of) => formatDiagnostic(placed(of, sentence(of, plan))));
  throw new CliError(`nothing was changed\n${lines.join('\n')}`, {
    next: 'delete some first, or see `uptime usage` and `uptime billing plans`',
  });
}

const sentence = ({ adding, scope, ...of }: PlannedUse, plan: string | null): string =>
  `the plan ${plan ?? ''} allows ${of.limit} ${wordsOf(of)} ${scope === 'account' ? 'an account' : 'a project'}; ` +
  `${of.used} ${of.used === 1 ? 'is' : 'are'} there, and this adds ${adding.length}`;

function placed({ adding, used, limit }: PlannedUse, message: string): Diagnostic {
  return { ...adding[Math.max(0, limit - used)]!.wanted.place(''), message };
}
