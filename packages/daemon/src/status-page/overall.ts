import type { MonitorView, PageView } from './view.ts';

/**
 * Returns the page's state, and a sentence about it. If more than `counted` incidents are open, the sentence says "more
 * than".
 */
export function overall(
  monitors: readonly Pick<MonitorView, 'state'>[],
  openIncidents: number,
  counted = Infinity,
): PageView['overall'] {
  const all = monitors.length;
  const count = (state: MonitorView['state']) => monitors.filter((monitor) => monitor.state === state).length;
  const [up, down, maintenance] = [count('up'), count('down'), count('maintenance')];
  if (down > 0) return { state: 'down', sentence: downSentence(down, all) };
  if (openIncidents > 0) return { state: 'incident', sentence: incidentSentence(openIncidents, counted) };
  if (maintenance > 0) return { state: 'maintenance', sentence: 'Maintenance is in progress.' };
  if (up === 0) return { state: 'unknown', sentence: 'Nothing is being observed at the moment.' };
  const unseen = all - up;
  if (unseen > 0)
    return {
      state: 'up',
      sentence: `${up} of ${all} services ${is(up)} up; the other${unseen === 1 ? ' is' : 's are'} not being observed.`,
    };
  return { state: 'up', sentence: all === 1 ? 'The service is up.' : 'All services are up.' };
}

function downSentence(down: number, all: number): string {
  if (down < all) return `${down} of ${all} services ${is(down)} down.`;
  return all === 1 ? 'The service is down.' : `All ${all} services are down.`;
}

function incidentSentence(open: number, counted: number): string {
  if (open === 1) return 'There is an open incident.';
  return `There are ${open > counted ? `more than ${counted}` : open} open incidents.`;
}

const is = (count: number) => (count === 1 ? 'is' : 'are');
