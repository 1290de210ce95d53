import type { Transition } from './monitor-state.ts';

/** How a change of status affects the monitor's outage; null for no effect. */
export type OutageChange = { open: true } | { open: false; reason: 'recovered' | 'paused' } | null;

/**
 * Returns how a change of status affects the monitor's outage. An outage opens when the monitor goes down, and closes
 * when it is up again or paused.
 */
export function outageChange(transition: Transition): OutageChange {
  if (transition.to === 'down') return { open: true };
  if (transition.from !== 'down') return null;
  return { open: false, reason: transition.to === 'paused' ? 'paused' : 'recovered' };
}
