import { beforeEach, expect, test } from 'vitest';
import { createRecentFaults, type RecentFaults } from './recent-faults.ts';

let monoMs: number;
let recent: RecentFaults;
beforeEach(() => {
  monoMs = 1000;
  recent = createRecentFaults({ monotonicMs: () => monoMs });
});

/** Notes checks of monitors of a project: `x` for a check without a verdict, `.` for one with a verdict. */
const check = (project: string, ...monitors: string[]) => {
  for (const [at, checks] of monitors.entries())
    for (const one of checks)
      recent.note({ monitor: project.charCodeAt(0) * 1000 + at, project, isFault: one === 'x' });
};

test.each<[string, boolean, Record<string, string[]>]>([
  ['without checks', false, {}],
  ['after one check without a verdict, because it is repeated soon', false, { a: ['x'] }],
  ['after two checks of a monitor without a verdict', true, { a: ['xx'] }],
  ['if the repeated check has a verdict', false, { a: ['x.'] }],
  ['if half of the monitors get no verdict', false, { a: ['xx', '.'] }],
  ['if most monitors get no verdict', true, { a: ['xx', 'xx', '.'] }],
  ['if one monitor is checked very often', false, { a: ['xxxxxxxx', '.', '.'] }],
  ['if one project has many such monitors', false, { a: ['xx', 'xx', 'xx', 'xx'], b: ['.'], c: ['.'] }],
  ['if most projects are affected', true, { a: ['xx'], b: ['xx', 'xx', '.'], c: ['.'] }],
])('`areMost` %s: %s', (_, expected, projects) => {
  for (const [project, monitors] of Object.entries(projects)) check(project, ...monitors);
  expect(recent.areMost()).toBe(expected);
});

test('`areMost` forgets a monitor 30 s after its last check', () => {
  check('a', 'xx');
  monoMs += 29_999;
  expect(recent.areMost()).toBe(true);
  check('b', '.', '.');
  monoMs += 1;
  expect(recent.areMost()).toBe(false);
  check('b', 'xx', 'xx');
  expect(recent.areMost()).toBe(true);
});
