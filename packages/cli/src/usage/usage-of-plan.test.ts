import type { Usage } from '@uptime/sdk';
import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Fields, KindName, Remote } from '../kinds/kind.ts';
import { wantedFrom } from '../manifest/item.ts';
import type { Change, FieldChange } from '../plan/change.ts';
import { monitorLimitFaults } from './monitor-limit-faults.ts';
import { amountOf, wordsOf } from './read-usage.ts';
import { refuseBeyondLimits } from './refuse-beyond-limits.ts';
import { sayUsage, usageOfPlan } from './usage-of-plan.ts';

type Limit = Usage['limits'][number];
const limit = (name: Limit['name'], used: number, maxAmount: number | null, unit: Limit['unit'] = 'count'): Limit => ({
  name,
  scope: name === 'monitors' ? 'account' : 'project',
  unit,
  used,
  limit: maxAmount,
});
const usage = (limits: Limit[], perMonitor: unknown = { checkInterval: null, regions: null }) =>
  ({ plan: 'Free', limits, perMonitor }) as Usage;

const wanted = (kind: KindName, name: string, fields: Fields = {}) => ({
  ...wantedFrom(kinds[kind], {
    key: null,
    name,
    ...(kind === 'monitor' && { type: 'http', interval: 60, regions: [] }),
    ...fields,
  }),
  place: (path: string) => ({ file: `${name}${path && `.${path}`}`, line: 1, column: 1 }),
});
const current = (fields: Fields = {}): Remote => ({ id: 'x_1', name: 'Old', ...fields });
const create = (kind: KindName, name: string, fields?: Fields): Change => ({
  action: 'create',
  kind: kinds[kind],
  wanted: wanted(kind, name, fields),
  targets: {},
});
const replace = (name: string): Change => ({
  action: 'replace',
  kind: kinds.monitor,
  wanted: wanted('monitor', name),
  current: current(),
  targets: {},
});
const remove = (kind: KindName): Change => ({ action: 'delete', kind: kinds[kind], current: current() });
const update = (
  kind: KindName,
  name: string,
  fields: FieldChange[],
  value: Fields = {},
  there: Fields = {},
): Change => ({
  action: 'update',
  kind: kinds[kind],
  wanted: wanted(kind, name, value),
  current: current(there),
  fields,
  targets: {},
});
const changed = (field: string, from: unknown, to: unknown): FieldChange => ({ at: [field], from, to, secret: false });

describe('the planned use of a limit', () => {
  const of = (changes: Change[], ...limits: Limit[]) =>
    usageOfPlan({ changes }, usage(limits)).map(({ name, adds, after, beyond }) => [
      name,
      adds,
      after,
      beyond?.wanted.value.name ?? null,
    ]);
  const monitors = (used: number, maxAmount: number | null) => limit('monitors', used, maxAmount);
  const domain = { customDomain: 's.example.com' };

  test.each<[string, Change[], Limit, unknown[]]>([
    ['fits', [create('monitor', 'A')], monitors(3, 5), [['monitors', 1, 4, null]]],
    ['fits exactly', [create('monitor', 'A'), create('monitor', 'B')], monitors(3, 5), [['monitors', 2, 5, null]]],
    [
      'exceeds the limit at the first item without room',
      [create('monitor', 'A'), create('monitor', 'B'), create('monitor', 'C')],
      monitors(4, 5),
      [['monitors', 3, 7, 'B']],
    ],
    ['is not reported if the limit is null', [create('monitor', 'A')], monitors(3, null), []],
    ['does not count other kinds', [create('channel', 'A')], monitors(5, 5), []],
    ['does not count an update', [update('monitor', 'A', [changed('interval', 60, 30)])], monitors(5, 5), []],
    [
      'decreases by a deletion, but only at the end',
      [create('monitor', 'A'), remove('monitor'), remove('monitor')],
      monitors(5, 5),
      [['monitors', 1, 4, 'A']],
    ],
    ['decreases if the plan only deletes monitors', [remove('monitor')], monitors(9, 5), [['monitors', 0, 8, null]]],
    [
      'grows by one monitor during each replacement',
      [replace('A'), replace('B')],
      monitors(4, 5),
      [['monitors', 1, 4, null]],
    ],
    [
      'exceeds the limit during a replacement, if the limit is already reached',
      [replace('A')],
      monitors(5, 5),
      [['monitors', 1, 5, 'A']],
    ],
    [
      'counts new monitors before replacements',
      [replace('A'), create('monitor', 'B')],
      monitors(4, 5),
      [['monitors', 2, 5, 'A']],
    ],
    [
      'counts the domain of a new page',
      [create('statusPage', 'P', domain)],
      limit('customDomains', 0, 0),
      [['customDomains', 1, 1, 'P']],
    ],
    [
      'counts no domain for a new page without one',
      [create('statusPage', 'P', { customDomain: null })],
      limit('customDomains', 0, 0),
      [],
    ],
    [
      'counts a domain that a page gets',
      [update('statusPage', 'P', [changed('customDomain', null, 's.example.com')])],
      limit('customDomains', 0, 1),
      [['customDomains', 1, 1, null]],
    ],
    [
      'does not count a domain that replaces another',
      [update('statusPage', 'P', [changed('customDomain', 'a.example', 's.example.com')])],
      limit('customDomains', 1, 1),
      [],
    ],
    [
      'does not count a domain that a page loses',
      [update('statusPage', 'P', [changed('customDomain', 'a.example', null)])],
      limit('customDomains', 1, 1),
      [],
    ],
  ])('the planned use of a limit %s', (_, changes, one, expected) => {
    expect(of(changes, one)).toEqual(expected);
  });

  test('sayUsage returns one sentence about the planned use of all limits, even of limits in megabytes', () => {
    const large = create('monitor', 'A', { description: 'x'.repeat(400_000) });
    const all = usage([monitors(3, 5), limit('storageMegabytes', 0.5, 2, 'megabytes')]);
    expect(sayUsage(usageOfPlan({ changes: [large] }, all), all)).toMatch(
      /^Uses monitors 4 of 5, storage 0\.8\d of 2 MB \(plan Free\)\.$/,
    );
    expect(sayUsage([], all)).toBe('');
  });
});

describe('refuseBeyondLimits', () => {
  const refusal = (changes: Change[], all: Usage) => {
    try {
      refuseBeyondLimits({ changes }, usageOfPlan({ changes }, all), all);
      return null;
    } catch (error) {
      return (error as Error).message.split('\n').slice(1);
    }
  };
  test.each<[string, Change[], Limit, string]>([
    [
      'a limit of the account',
      [create('monitor', 'A')],
      limit('monitors', 5, 5),
      'A:1:1: the plan Free allows 5 monitors an account; 5 are there, and this apply adds 1',
    ],
    [
      'a limit of the project',
      [create('alertRule', 'R')],
      limit('alertRules', 1, 1),
      'R:1:1: the plan Free allows 1 alert rules a project; 1 is there, and this apply adds 1',
    ],
    [
      'a limit during a replacement',
      [replace('A')],
      limit('monitors', 5, 5),
      'A:1:1: the plan Free allows 5 monitors an account; 5 are there, and this apply adds 1, because the new one is created before the old one is deleted',
    ],
    [
      'a limit of storage',
      [create('monitor', 'A', { description: 'x'.repeat(1_100_000) })],
      limit('storageMegabytes', 1.5, 2, 'megabytes'),
      'A:1:1: the plan Free allows 2 MB of storage a project; 1.5 MB are used, and this apply adds about 1.05 MB',
    ],
  ])('refuseBeyondLimits throws an error at the first item that exceeds %s', (_, changes, one, line) => {
    expect(refusal(changes, usage([one]))).toEqual([line]);
  });

  test('refuseBeyondLimits throws nothing if no limit is exceeded', () => {
    expect(refusal([create('monitor', 'A')], usage([limit('monitors', 4, 5)]))).toBeNull();
  });
});

describe('the limits of each monitor', () => {
  const beyond = (change: Change, perMonitor: unknown = { checkInterval: 60, regions: 1 }) =>
    monitorLimitFaults({ changes: [change] }, usage([], perMonitor)).map(({ file, message }) => `${file}: ${message}`);
  const interval = 'A.interval: `interval` must be at least 60 with the plan Free, not 30';
  const regions = 'A.regions: `regions` must be at most 1 with the plan Free, not 2';
  const fast = { interval: 30, regions: ['eu', 'us'] };
  test.each<[string, Change, string[]]>([
    ['apply to a new monitor', create('monitor', 'A', fast), [interval, regions]],
    ['do not apply to a heartbeat', create('monitor', 'A', { ...fast, type: 'heartbeat' }), []],
    ['apply to a changed field', update('monitor', 'A', [changed('interval', 90, 30)], fast), [interval]],
    ['do not apply to an unchanged field', update('monitor', 'A', [changed('name', 'B', 'A')], fast), []],
    [
      'apply to a monitor that was paused because of the plan of the account',
      update('monitor', 'A', [changed('paused', true, false)], fast, { pausedReason: 'plan' }),
      [interval, regions],
    ],
    [
      'do not apply to a monitor that a person had paused',
      update('monitor', 'A', [changed('paused', true, false)], fast, { pausedReason: null }),
      [],
    ],
    ['do not apply to other kinds', create('statusPage', 'A'), []],
    ['do not apply to a deletion', remove('monitor'), []],
  ])('the limits of each monitor %s', (_, change, expected) => {
    expect(beyond(change)).toEqual(expected);
  });

  test('the limits of each monitor are not checked on an earlier server that does not return them, or if they are null', () => {
    expect(beyond(create('monitor', 'A', fast), undefined)).toEqual([interval, regions]);
    expect(
      monitorLimitFaults({ changes: [create('monitor', 'A', fast)] }, { plan: 'Free', limits: [] } as unknown as Usage),
    ).toEqual([]);
    expect(beyond(create('monitor', 'A', fast), { checkInterval: null, regions: null })).toEqual([]);
  });
});

test.each<[Limit['name'], Limit['unit'], number, string, string]>([
  ['monitors', 'count', 5, 'monitors', '5'],
  ['alertRules', 'count', 5, 'alert rules', '5'],
  ['maintenanceWindows', 'count', 0, 'maintenance windows', '0'],
  ['storageMegabytes', 'megabytes', 1.25, 'storage', '1.25 MB'],
])('the limit %s has a readable name and amount', (name, unit, amount, words, text) => {
  expect([wordsOf({ name }), amountOf({ unit }, amount)]).toEqual([words, text]);
});
