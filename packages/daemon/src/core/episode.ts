import type { Transition } from './monitor-state.ts';

/** How a change of status affects its outage. */
export type EpisodeChange = { open: true } | { open: false; reason: 'recovered' | 'paused' } | null;

/** An outage opens when the monitor goes down, and closes when it is up again or paused. */
export function episodeChange(transition: Transition): EpisodeChange {
  if (transition.to === 'down') return { open: true };
  if (transition.from !== 'down') return null;
  return { open: false, reason: transition.to === 'paused' ? 'paused' : 'recovered' };
}
