import type { Fields, Phase } from './kind.ts';

/** Returns the phase of a maintenance window at a time. A resolved window is `over`, even before its end. */
export function phaseOf({ scheduledStart, scheduledEnd, resolvedAt }: Fields, now: number): Phase {
  if (resolvedAt != null || Date.parse(String(scheduledEnd)) <= now) return 'over';
  return Date.parse(String(scheduledStart)) > now ? 'ahead' : 'in force';
}
