import { expect, test } from 'vitest';
import { overall } from './overall.ts';
import type { MonitorView } from './view.ts';

const of = (states: MonitorView['state'][], openIncidents = 0) =>
  overall(
    states.map((state) => ({ state })),
    openIncidents,
  );

test.each<[MonitorView['state'][], number, string, string]>([
  [['up'], 0, 'up', 'The service is up.'],
  [['up', 'up'], 0, 'up', 'All services are up.'],
  [['down'], 0, 'down', 'The service is down.'],
  [['down', 'down'], 0, 'down', 'All 2 services are down.'],
  [['down', 'up', 'up'], 0, 'down', '1 of 3 services is down.'],
  [['down', 'down', 'paused'], 0, 'down', '2 of 3 services are down.'],
  [['up', 'maintenance'], 0, 'maintenance', 'Maintenance is in progress.'],
  [['up', 'unknown'], 0, 'up', '1 of 2 services is up; the other is not being observed.'],
  [['up', 'up', 'unknown', 'paused'], 0, 'up', '2 of 4 services are up; the others are not being observed.'],
  [['unknown', 'paused'], 0, 'unknown', 'Nothing is being observed at the moment.'],
  [[], 0, 'unknown', 'Nothing is being observed at the moment.'],
  [['up'], 1, 'incident', 'There is an open incident.'],
  [['up', 'maintenance'], 2, 'incident', 'There are 2 open incidents.'],
  [['up', 'down'], 2, 'down', '1 of 2 services is down.'],
])(
  'if services are %j and %i incidents are open, the state of the page is "%s", and its sentence is "%s"',
  (states, open, state, sentence) => {
    expect(of(states, open)).toEqual({ state, sentence });
  },
);
