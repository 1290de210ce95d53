import type { MonitorView, PageView } from './view.ts';

/** The one sentence that a person in a hurry reads. */
export function overall(monitors: readonly Pick<MonitorView, 'state'>[], openIncidents: number): PageView['overall'] {
  const count = (state: MonitorView['state']) => monitors.filter((monitor) => monitor.state === state).length;
  const [up, down, maintenance] = [count('up'), count('down'), count('maintenance')];
  if (down > 0) {
    const all = monitors.length === 1 ? 'It is down.' : `All ${monitors.length} services are down.`;
    const some = `${down} of ${monitors.length} services ${down === 1 ? 'is' : 'are'} down.`;
    return { state: 'down', sentence: down === monitors.length ? all : some };
  }
  if (maintenance > 0) return { state: 'maintenance', sentence: 'Maintenance is under way.' };
  if (openIncidents > 0) {
    return {
      state: 'down',
      sentence: openIncidents === 1 ? 'There is an open incident.' : `There are ${openIncidents} open incidents.`,
    };
  }
  if (up === 0) return { state: 'unknown', sentence: 'Nothing is being observed at the moment.' };
  if (up < monitors.length) return { state: 'up', sentence: 'All services that are observed are up.' };
  return { state: 'up', sentence: up === 1 ? 'It is up.' : 'All services are up.' };
}
