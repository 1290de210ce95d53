import type { Transition } from './monitor-state.ts';

/** What a change of status does to the outage it belongs to. */
export type EpisodeChange = { open: true } | { open: false; reason: 'recovered' | 'paused' } | null;

/** An outage opens when the monitor goes down, and closes when it is up again or paused. */
export function episodeChange(transition: Transition): EpisodeChange {
  if (transition.to === 'down') return { open: true };
  if (transition.from !== 'down') return null;
  return { open: false, reason: transition.to === 'paused' ? 'paused' : 'recovered' };
}
