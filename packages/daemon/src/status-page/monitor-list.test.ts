import { expect, test } from 'vitest';
import { day, monitorView, now, pageView, states, written } from '../testing/page-views.ts';
import { duration } from './words.ts';

const names = (page: string) => [...page.matchAll(/class="name" dir="auto">([^<]+)/g)].map(([, name]) => name);
const groups = (page: string) => [...page.matchAll(/class="group" dir="auto">([^<]+)/g)].map(([, name]) => name);

test("services that are not up come first, and services with the same state are in the project's order", () => {
  const monitors = (['up', 'paused', 'down', 'up', 'maintenance', 'down'] as const).map((state, at) =>
    monitorView({ name: `${at} ${state}`, state }),
  );
  expect(names(written(pageView({ monitors })))).toEqual([
    '2 down',
    '5 down',
    '4 maintenance',
    '1 paused',
    '0 up',
    '3 up',
  ]);
});

test('groups with a service that is down come first, and services without the label come last', () => {
  const monitors = [null, 'b', 'a', 'c', 'b'].map((group, at) =>
    monitorView({ name: `S${at}`, group, state: group === 'c' ? 'down' : 'up' }),
  );
  const page = written(pageView({ monitors, grouped: true }));
  expect(groups(page)).toEqual(['c', 'b', 'a', 'Other services']);
  expect(names(page)).toEqual(['S3', 'S1', 'S4', 'S2', 'S0']);
  expect(page.match(/<h4/g)).toHaveLength(5);
  expect(groups(written(pageView({ monitors })))).toEqual([]);
});

test('if no service has the label of the groups, the page has no headings of groups', () => {
  const page = written(pageView({ grouped: true }));
  expect(groups(page)).toEqual([]);
  expect(names(page)).toEqual(['Shop', 'Payments']);
});

test('if a page has at most eight services, they have charts; otherwise each service has only a row', () => {
  const many = (count: number) => written(pageView({ monitors: Array.from({ length: count }, () => monitorView()) }));
  expect(many(8)).not.toContain('services compact');
  expect(many(8).match(/<figure>/g)).toHaveLength(8);
  expect(many(9)).toContain('services compact');
  expect(many(9)).not.toContain('<figure>');
});

test('a page shows since when a service is down, in the row of the service and at the top', () => {
  const page = written(states['partly down']);
  const since = `since <time datetime="2026-11-21T12:19:56.000Z">2026-11-21 12:19 UTC</time> (${duration(14 * 60_000)})`;
  expect(page).toContain(`Down ${since}`);
  expect(page).toContain(`<bdi>Payments</bdi> <span>${since}</span>`);
});

test.each([
  [1, 'd1'],
  [15 * 60_000, 'd1'],
  [3_600_000, 'd2'],
  [6 * 3_600_000, 'd3'],
  [12 * 3_600_000, 'd4'],
  [20 * 3_600_000, 'd5'],
  [24 * 3_600_000, 'd6'],
])('a day with %i ms of downtime has a bar of the CSS class %s', (down, kind) => {
  const today = day(0, { up: 86_400_000 - down, down });
  expect(written(pageView({ monitors: [monitorView({ today })], madeAt: now }))).toContain(
    `<b class="${kind}" data-day="21 Nov: `,
  );
});
