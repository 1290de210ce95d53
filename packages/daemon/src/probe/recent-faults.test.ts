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
  for (const [at, checks] of monitors.entries()) for (const one of checks) note(project, at, one === 'x');
};
const note = (project: string, at: number, isFault: boolean, intervalMs = 60_000, timeoutMs = 10_000) =>
  recent.note({ monitor: project.charCodeAt(0) * 1000 + at, project, isFault, intervalMs, timeoutMs });

test.each<[string, boolean, Record<string, string[]>]>([
  ['without checks', false, {}],
  ['after one check without a verdict, because it is repeated', false, { a: ['x'] }],
  ['after two checks of a monitor without a verdict', true, { a: ['xx'] }],
  ['if the repeated check has a verdict', false, { a: ['x.'] }],
  ['if half of the monitors get no verdict', false, { a: ['xx', '.'] }],
  ['if most monitors get no verdict', true, { a: ['xx', 'xx', '.'] }],
  ['if one monitor is checked very often', false, { a: ['xxxxxxxx', '.', '.'] }],
  ['if one of three projects has many such monitors', false, { a: ['xx', 'xx', 'xx', 'xx'], b: ['.'], c: ['.'] }],
  ['if most monitors and half of the projects are affected', true, { a: ['xx', 'xx'], b: ['.'] }],
  ['if half of the projects are affected, but not most monitors', false, { a: ['xx'], b: ['.', '.'] }],
])('`areMost` %s: %s', (_, expected, projects) => {
  for (const [project, monitors] of Object.entries(projects)) check(project, ...monitors);
  expect(recent.areMost()).toBe(expected);
});

test('one affected monitor does not outvote monitors that wait for their next check', () => {
  for (let at = 1; at <= 2; at++) note('a', at, false, 3_600_000);
  for (let retry = 0; retry < 10; retry++) {
    monoMs += 30_000;
    note('a', 0, true);
    expect(recent.areMost()).toBe(false);
  }
});

test('a monitor stays affected while its repeated checks give no verdict, even if each of them takes long', () => {
  for (let retry = 0; retry < 10; retry++) {
    note('a', 0, true, 60_000, 30_000);
    expect(recent.areMost()).toBe(retry > 0);
    monoMs += 60_000;
  }
});

test('a monitor that is no longer checked counts only until its next check should have ended', () => {
  check('a', 'xx');
  monoMs += 49_999;
  expect(recent.areMost()).toBe(true);
  monoMs += 1;
  expect(recent.areMost()).toBe(false);
  check('a', '.');
  monoMs += 79_999;
  check('b', 'xx');
  expect(recent.areMost()).toBe(false);
  monoMs += 1;
  expect(recent.areMost()).toBe(true);
});
