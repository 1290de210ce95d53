import type { Usage } from '@uptime/sdk';
import { knownMonitorType } from '@uptime/sdk/contract';
import { fieldsOf } from '../kinds/kind.ts';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import type { Change, Plan } from '../plan/change.ts';

/**
 * Returns a fault for each interval and each list of regions that the plan of the account does not allow, with its
 * place in the manifest.
 */
export function monitorLimitFaults({ changes }: Pick<Plan, 'changes'>, usage: Usage): Diagnostic[] {
  // A server of an earlier version does not return these limits.
  const limits = usage.perMonitor as Usage['perMonitor'] | undefined;
  if (!limits) return [];
  return changes.flatMap((change): Diagnostic[] => {
    if (change.action === 'delete' || change.kind.name !== 'monitor') return [];
    const { value, place } = change.wanted;
    // The interval and regions of a passive monitor are not limited, because the server does not check its target.
    if (knownMonitorType(String(value['type']))?.mode === 'passive') return [];
    const judged = judgedFields(change);
    const interval = Number(value['interval']);
    const regions = ((value['regions'] ?? []) as unknown[]).length;
    const diagnostics: Diagnostic[] = [];
    if (judged.has('interval') && limits.checkInterval !== null && interval < limits.checkInterval) {
      const message = `\`interval\` must be at least ${limits.checkInterval} with the plan ${usage.plan}, not ${interval}`;
      diagnostics.push({ ...place('interval'), message });
    }
    if (judged.has('regions') && limits.regions !== null && regions > limits.regions) {
      const message = `\`regions\` must be at most ${limits.regions} with the plan ${usage.plan}, not ${regions}`;
      diagnostics.push({ ...place('regions'), message });
    }
    return diagnostics;
  });
}

/**
 * Returns the fields that the server compares with the plan of the account. If the monitor is new, or if it resumes
 * after the server paused it because of this plan, returns every limited field. Otherwise, returns the changed fields.
 */
function judgedFields(change: Exclude<Change, { action: 'delete' }>): Set<string> {
  if (change.action !== 'update') return new Set(['interval', 'regions']);
  const changed = change.fields.map(({ at: [field] }) => field);
  const resumes = changed.includes('paused') && fieldsOf(change.current)['pausedReason'] === 'plan';
  return new Set(resumes ? ['interval', 'regions'] : changed);
}
