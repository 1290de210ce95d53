import type { Usage } from '@uptime/sdk';
import { megabyte } from '@uptime/sdk/contract';
import type { KindName } from '../kinds/kind.ts';
import type { Change, Plan } from '../plan/change.ts';
import { changesOf, phases } from '../plan/order.ts';
import { amountOf, type UsedLimit, wordsOf } from './read-usage.ts';
import { addedBytes } from './stored-bytes.ts';

export type Adding = Exclude<Change, { action: 'delete' }>;

/** How the planned changes of an apply affect the use of one limit. */
export interface PlannedUse extends UsedLimit {
  limit: number;
  /**
   * The largest growth of the use at any point of the apply, in the unit of the limit. Deletions do not reduce it,
   * because they come last.
   */
  adds: number;
  /** The first change that exceeds the limit; null if no change exceeds it. */
  beyond: Adding | null;
  /** The use after all changes. */
  after: number;
}

const limitOf: Record<KindName, UsedLimit['name']> = {
  monitor: 'monitors',
  channel: 'channels',
  alertRule: 'alertRules',
  statusPage: 'statusPages',
  maintenanceWindow: 'maintenanceWindows',
};

/** The server rounds megabytes to hundredths. So the real use may be higher than the reported use by this much. */
const roundedBy = { count: 0, megabytes: 0.005 };

/** Returns how the planned changes affect the use of each limit. Leaves out limits that are null or not affected. */
export function usageOfPlan({ changes }: Pick<Plan, 'changes'>, usage: Usage): PlannedUse[] {
  return usage.limits.flatMap((of): PlannedUse[] => {
    const { name, limit, used } = of;
    if (limit === null) return [];
    const grows = (change: Change) => growthOf(change, name);
    const touching = changes.filter((change) => grows(change).now !== 0 || grows(change).later !== 0);
    if (touching.length === 0) return [];
    const { adds, beyond } = firstBeyond(touching, grows, limit - used - roundedBy[of.unit]);
    const after = used + touching.reduce((sum, change) => sum + grows(change).now + grows(change).later, 0);
    return [{ ...of, limit, adds, beyond, after: Math.max(0, after) }];
  });
}

/**
 * How one change affects the use of a limit. `now` is what the change adds as soon as it is made. `later`, zero or
 * negative, is what the change frees. Changes that run at the same time cannot use the freed room yet.
 */
interface GrowthOfChange {
  now: number;
  later: number;
}

const none: GrowthOfChange = { now: 0, later: 0 };

function growthOf(change: Change, limit: UsedLimit['name']): GrowthOfChange {
  if (limit === 'storageMegabytes') {
    const added = addedBytes(change) / megabyte;
    return added > 0 ? { now: added, later: 0 } : { now: 0, later: added };
  }
  if (limit === 'customDomains') return addsDomain(change) ? { now: 1, later: 0 } : none;
  if (limitOf[change.kind.name] !== limit) return none;
  // A replacement creates the new monitor before it deletes the old one.
  return { create: { now: 1, later: 0 }, update: none, replace: { now: 1, later: -1 }, delete: { now: 0, later: -1 } }[
    change.action
  ];
}

function addsDomain(change: Change): boolean {
  if (change.kind.name !== 'statusPage') return false;
  if (change.action === 'create') return typeof change.wanted.value['customDomain'] === 'string';
  return (
    change.action === 'update' &&
    change.fields.some(({ at, from, to }) => at[0] === 'customDomain' && from == null && to != null)
  );
}

/**
 * Computes how the use grows during the phases of an apply. Returns the largest growth, and the first change with which
 * the growth exceeds `room`. The changes of a phase run at the same time, unless the phase makes one change at a time.
 */
function firstBeyond(
  changes: readonly Change[],
  grows: (change: Change) => GrowthOfChange,
  room: number,
): { adds: number; beyond: Adding | null } {
  let [sum, adds] = [0, 0];
  let beyond: Adding | null = null;
  for (const phase of phases) {
    const all = changesOf(phase, changes);
    for (const change of all) {
      const { now, later } = grows(change);
      sum += now;
      adds = Math.max(adds, sum);
      if (sum > room && now > 0 && change.action !== 'delete') beyond ??= change;
      if (phase.maxConcurrent === 1) sum += later;
    }
    if (phase.maxConcurrent !== 1) sum += all.reduce((freed, change) => freed + grows(change).later, 0);
  }
  return { adds, beyond };
}

/**
 * Returns a sentence such as `Uses monitors 12 of 20, channels 3 of 5 (plan Free).` Returns an empty text if the
 * planned changes do not affect the use of any limit.
 */
export function sayUsage(planned: readonly PlannedUse[], { plan }: Usage): string {
  if (planned.length === 0) return '';
  const each = planned.map((of) => `${wordsOf(of)} ${rounded(of.after)} of ${amountOf(of, of.limit)}`);
  return `Uses ${each.join(', ')}${plan === null ? '' : ` (plan ${plan})`}.`;
}

/** Rounds an amount to hundredths. This changes only megabytes, because other amounts are whole numbers. */
export const rounded = (amount: number): number => Math.round(amount * 100) / 100;
