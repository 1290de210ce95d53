import { type Html, html } from './html.ts';
import type { PageView } from './view.ts';

type State = PageView['overall']['state'];

/**
 * A shape for each state, so that colour is never the only difference: tick, cross, exclamation mark, bar, question
 * mark.
 */
const shapes: Record<State, string> = {
  up: 'm7 12.5 3.5 3.5 6.5-7.5',
  down: 'm8 8 8 8m0-8-8 8',
  incident: 'M12 6.5v7m0 3.5v.1',
  maintenance: 'M7.5 12h9',
  unknown: 'M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1-1.5 1.9m0 3v.1',
};

/** Background colours of badges and tab icons. White text is readable on each colour. */
export const colours: Record<State, string> = {
  up: '#1a7f4b',
  down: '#c62828',
  incident: '#955300',
  maintenance: '#2d5fc4',
  unknown: '#5b6470',
};

export const icon = (state: State): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="11" />
    <path d="${shapes[state]}" />
  </svg>`;

/** Returns the tab's icon as a `data:` address, which needs no request. `state` is null for a page without a state. */
export function tabIcon(state: State | null): string {
  const colour = colours[state ?? 'unknown'];
  const shape = state === null ? 'M7 9h10M7 12.5h10M7 16h6' : shapes[state];
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="12" fill="${colour}"/><path d="${shape}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`)}`;
}
