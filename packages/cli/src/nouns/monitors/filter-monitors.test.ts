import type { Monitor } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { fewNames } from '../few-names.ts';
import { chooseMonitors } from './filter-monitors.ts';
import { openFirst } from '../open-first.ts';

const monitor = (name: string, status: string, labels: Record<string, string> = {}, type = 'http') =>
  ({ name, status, labels, type }) as unknown as Monitor;
const all = [
  monitor('a', 'up', { team: 'web', tier: '1' }),
  monitor('b', 'down', { team: 'web' }),
  monitor('c', 'paused', { team: 'ops', note: 'x=y' }, 'tcp'),
  monitor('d', 'pending', {}, 'heartbeat'),
  monitor('e', 'down', { empty: '' }),
];
const names = (monitors: readonly Monitor[]) => monitors.map(({ name }) => name).join('');

describe('the choice of monitors', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['without flags, so that all are listed', {}, 'abcde'],
    ['by status', { status: 'down' }, 'be'],
    ['by type', { type: 'tcp' }, 'c'],
    ['by a label with its value', { label: ['team=web'] }, 'ab'],
    ['by a label with any value', { label: ['team'] }, 'abc'],
    ['by a label that is empty', { label: ['empty='] }, 'e'],
    ['by a value with an equals sign', { label: ['note=x=y'] }, 'c'],
    ['by several labels, which must all match', { label: ['team=web', 'tier=1'] }, 'a'],
    ['by a label that is named like an inherited property, and matches no monitor', { label: ['constructor'] }, ''],
    ['by an empty value of a label, which matches no other value', { label: ['team='] }, ''],
    ['by label and status', { label: ['team=web'], status: 'down' }, 'b'],
    ['up to a limit', { limit: 2 }, 'ab'],
  ])('monitors are chosen %s', (_, flags, expected) => {
    expect(names(chooseMonitors(flags).rows!([...all], false))).toBe(expected);
  });

  test('for a terminal, monitors are sorted by the urgency of their status, and --limit keeps the most urgent monitors', () => {
    expect(names(chooseMonitors({}).rows!([...all], true))).toBe('bedac');
    expect(names(chooseMonitors({ limit: 2 }).rows!([...all], true))).toBe('be');
  });
});

test('a message says how many monitors a limited list shows, and why a list is empty', () => {
  const { cut, empty } = chooseMonitors({ limit: 2, status: 'down' });
  expect(cut!(all.slice(0, 2), all)).toBeNull();
  expect(cut!(all.slice(0, 1), all)).toBe('1 of 2 monitors are shown; --limit 2 shows all.');
  expect(empty!(all)).toBe('None of 5 monitors matches.');
  expect(empty!([])).toMatch(/^No monitors yet\. /);
});

test.each<[string[], string]>([
  [[], '-'],
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
  [Array(100).fill('x'), 'x, x, x and 97 more'],
])('fewNames returns the names %j as %j', (given, text) => {
  expect(fewNames(given)).toBe(text);
});

test('openFirst returns open items first, and sorts the others from the latest to the oldest', () => {
  const rows = [
    ['a', 'x'],
    ['b', null],
    ['c', 'x'],
    ['d', null],
  ].map(([id, resolvedAt]) => ({ id, resolvedAt: resolvedAt as string | null }));
  const ids = (open: boolean) => openFirst(rows, { open }).map(({ id }) => id);
  expect([ids(false), ids(true)]).toEqual([
    ['d', 'b', 'c', 'a'],
    ['d', 'b'],
  ]);
});
