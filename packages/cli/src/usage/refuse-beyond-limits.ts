import type { Usage } from '@uptime/sdk';
import { type Diagnostic, sortDiagnostics } from '../manifest/diagnostic.ts';
import { ManifestFaults } from '../manifest/manifest-faults.ts';
import type { Plan } from '../plan/change.ts';
import { monitorLimitFaults } from './monitor-limit-faults.ts';
import { wordsOf } from './read-usage.ts';
import { type PlannedUse, rounded } from './usage-of-plan.ts';

/**
 * Throws a CliError if an apply would exceed limits. The error has a line for each such limit, with its value and its
 * use. The line begins with the place of the first item that exceeds the limit. Deletions do not help, because an apply
 * makes them last.
 */
export function refuseBeyondLimits(plan: Pick<Plan, 'changes'>, planned: readonly PlannedUse[], usage: Usage): void {
  const beyond = planned.flatMap((of): Diagnostic[] =>
    of.beyond ? [{ ...of.beyond.wanted.place(''), message: sentence(of, usage.plan) }] : [],
  );
  const faults = sortDiagnostics([...beyond, ...monitorLimitFaults(plan, usage)]);
  if (faults.length === 0) return;
  throw new ManifestFaults('nothing was changed', faults, {
    next: `${beyond.length > 0 ? 'delete resources first, or ' : ''}see \`uptime usage\` and \`uptime billing plans\``,
  });
}

function sentence({ adds, scope, ...of }: PlannedUse, plan: string | null): string {
  const owner = scope === 'account' ? 'an account' : 'a project';
  if (of.unit === 'megabytes')
    return `the plan ${plan ?? ''} allows ${of.limit} MB of ${wordsOf(of)} ${owner}; ${of.used} MB are used, and this apply adds about ${rounded(adds)} MB`;
  const there = of.used === 1 ? 'is' : 'are';
  const why = of.beyond?.action === 'replace' ? ', because the new one is created before the old one is deleted' : '';
  return `the plan ${plan ?? ''} allows ${of.limit} ${wordsOf(of)} ${owner}; ${of.used} ${there} there, and this apply adds ${adds}${why}`;
}
