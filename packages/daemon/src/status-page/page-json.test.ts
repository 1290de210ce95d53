import { expect, test } from 'vitest';
import {
  day,
  incidentView,
  monitorView,
  now,
  pageView,
  states,
  unseenMonitor,
  written,
} from '../testing/page-views.ts';
import type { PageView } from './view.ts';

const shownJson = (view: PageView) => written(view, 'json');

test('the JSON of a page has the state of the page, and every monitor with its 90 days', () => {
  const shown = JSON.parse(shownJson(states['partly down']));
  expect(shown).toMatchObject({
    name: 'Example shop',
    status: 'down',
    summary: '1 of 4 services is down.',
    madeAt: '2026-11-21T12:34:50.000Z',
  });
  expect(shown.monitors.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
    ['Shop', 'up'],
    ['Payments', 'down'],
    ['Nightly backup', 'up'],
    ['Search', 'up'],
  ]);
  expect(shown.monitors[1].days).toHaveLength(90);
  expect(shown.monitors[1].days[0].date).toBe('2026-08-24');
  expect(shown.monitors[1].days.at(-1)).toMatchObject({ date: '2026-11-21', downSeconds: 900 });
});

test('the JSON of a page stays the same to the byte for ten seconds while nothing happens', () => {
  const at = now - (now % 10_000);
  const [first, same, later] = [0, 9999, 10_000].map((ms) => shownJson(pageView({ madeAt: at + ms })));
  expect(same).toBe(first);
  expect(later).not.toBe(first);
});

test('in the JSON of a page, the uptime of a day that was not observed is null, not 100', () => {
  const { monitors } = JSON.parse(shownJson(pageView({ monitors: [unseenMonitor()] })));
  expect(monitors[0]).toMatchObject({ status: 'unknown', uptime90d: null });
  expect(monitors[0].days.at(-1)).toEqual({
    date: '2026-11-21',
    uptime: null,
    downSeconds: 0,
    maintenanceSeconds: 0,
  });
});

test('the JSON of a page has incidents with their updates, and maintenance in a list of its own', () => {
  const window = incidentView({ title: 'Works', maintenance: true, scheduledEnd: now + 1000, updates: [] });
  const shown = JSON.parse(shownJson(pageView({ open: [incidentView()], current: [window], past: [window] })));
  expect(shown.incidents).toHaveLength(1);
  expect(shown.incidents[0]).toMatchObject({
    title: 'Payments are slow',
    status: 'identified',
    resolvedAt: null,
    monitors: ['Payments'],
    updates: [{ status: 'investigating', createdAt: '2026-11-21T11:34:56.000Z' }, { status: 'identified' }],
  });
  expect(shown.maintenance).toMatchObject([{ title: 'Works', scheduledEnd: '2026-11-21T12:34:57.000Z' }]);
});

test('the JSON of a page with more than 200 monitors has several parts', () => {
  const view = pageView({ monitors: Array.from({ length: 450 }, (_, at) => monitorView({ name: `S${at}` })) });
  const part = (from: number) =>
    JSON.parse(written(view, 'json', from)) as { next: string; monitors: { name: string }[] };
  const found: string[] = [];
  for (let from: number | null = 0; from !== null;) {
    const { next, monitors }: ReturnType<typeof part> = part(from);
    expect(monitors.length).toBeLessThanOrEqual(200);
    found.push(...monitors.map(({ name }) => name));
    from = next === null ? null : Number(new URL(next).searchParams.get('from'));
  }
  expect(found).toEqual(view.monitors.map(({ name }) => name));
});

test('the JSON of a page says how many seconds each day was in maintenance', () => {
  const monitor = monitorView({ today: day(0, { up: 1000, maintenance: 3_600_000 }) });
  const { monitors } = JSON.parse(shownJson(pageView({ monitors: [monitor] })));
  expect(monitors[0].days.at(-1)).toMatchObject({ uptime: 100, maintenanceSeconds: 3600 });
});
