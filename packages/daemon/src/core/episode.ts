import type { Transition } from './monitor-state.ts';

/** The effect of a change of status on the outage of the monitor; null for no effect. */
export type EpisodeChange = { open: true } | { open: false; reason: 'recovered' | 'paused' } | null;

/** An outage opens when the monitor goes down, and closes when it is up again or paused. */
export function episodeChange(transition: Transition): EpisodeChange {
  if (transition.to === 'down') return { open: true };
  if (transition.from !== 'down') return null;
  return { open: false, reason: transition.to === 'paused' ? 'paused' : 'recovered' };
}
