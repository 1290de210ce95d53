import { describe, expect, test } from 'vitest';
import { manifest, manifestItemFields, validate } from './index.ts';

/** The faults of a manifest, as `path code`. */
const faultsOf = (value: unknown) => {
  const parsed = validate(manifest, value);
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};
const names = (count: number) => Array.from({ length: count }, (_, n) => `name-${n}`);

describe('a manifest as a whole', () => {
  test.each([
    ['nothing', {}, []],
    ['empty lists', { monitors: [], channels: [], alertRules: [], statusPages: [], maintenance: [] }, []],
    ['a name in managedBy', { managedBy: 'shop/monitors' }, []],
    ['a pattern for further files', { include: 'teams/*.yaml' }, []],
    ['a list of further files', { include: ['a.yaml', 'b.yaml'] }, []],
    ['defaults by list and by type', { defaults: { monitors: { interval: 30 }, http: { timeout: 5 } } }, []],
    ['overrides of an environment', { overrides: { prod: { monitors: { shop: { interval: 10 } } } } }, []],
    ['a blank in managedBy', { managedBy: 'my shop' }, ['managedBy bad_format']],
    ['null as managedBy', { managedBy: null }, ['managedBy wrong_type']],
    ['a number as include', { include: 5 }, ['include wrong_type']],
    ['a number in the list of further files', { include: ['a.yaml', 5] }, ['include.1 wrong_type']],
    ['a list as defaults', { defaults: [] }, ['defaults wrong_type']],
    [
      'a number as the overrides of monitors',
      { overrides: { prod: { monitors: 5 } } },
      ['overrides.prod.monitors wrong_type'],
    ],
    ['a map in place of a list', { monitors: {} }, ['monitors wrong_type']],
    ['a mistyped name of a list', { alertrules: [] }, ['alertrules unknown_field']],
    ['a list as its root', [], [' wrong_type']],
    ['null as its root', null, [' wrong_type']],
  ])('validation of a manifest with %s (%j) finds the faults %j', (_, value, faults) =>
    expect(faultsOf(value)).toEqual(faults),
  );

  test('the fault of a manifest says which item of which list is wrong', () => {
    const shop = { name: 'Shop', type: 'http', url: 'https://shop.example' };
    expect(
      faultsOf({ monitors: [shop, { ...shop, interval: 0 }], channels: [{ name: 'Ops', type: 'pigeon' }] }),
    ).toEqual(['monitors.1.interval too_small', 'channels.0.type not_a_choice']);
  });
});

describe('a rule of a manifest', () => {
  const rule = { name: 'Down', monitors: ['shop'], channels: ['Ops'] };
  test.each([
    [{ trigger: 'ssl_expiring', reminderInterval: 3600, enabled: false, key: 'down' }, []],
    [{ monitors: names(1000), channels: names(100) }, []],
    [{ monitors: names(1001) }, ['alertRules.0.monitors too_big']],
    [{ channels: names(101) }, ['alertRules.0.channels too_big']],
    [{ monitors: undefined }, ['alertRules.0.monitors required']],
    [{ monitors: 'shop' }, ['alertRules.0.monitors wrong_type']],
    [{ channelIds: ['chn_1'] }, ['alertRules.0.channelIds unknown_field']],
    // Only the whole manifest has the field `managedBy`. Its items do not have it.
    [{ managedBy: 'shop' }, ['alertRules.0.managedBy unknown_field']],
  ])('a rule of a manifest with %j has the faults %j', (change, faults) =>
    expect(faultsOf({ alertRules: [{ ...rule, ...change }] })).toEqual(faults),
  );
});

test.each([
  [{}, []],
  [{ monitors: ['shop'], groupBy: 'team' }, []],
  [{ slug: 'Shop' }, ['statusPages.0.slug bad_format']],
  [{ monitorIds: [] }, ['statusPages.0.monitorIds unknown_field']],
  [{ monitors: names(1001) }, ['statusPages.0.monitors too_big']],
])('a status page of a manifest with %j has the faults %j', (change, faults) => {
  expect(faultsOf({ statusPages: [{ name: 'Shop', slug: 'shop', ...change }] })).toEqual(faults);
});

describe('a maintenance window of a manifest', () => {
  const window = { title: 'Move', scheduledStart: '2026-01-31T08:00:00Z', scheduledEnd: '2026-01-31T09:00:00Z' };
  test.each([
    [{}, []],
    [{ message: 'The racks move.', monitors: ['shop'] }, []],
    [{ scheduledStart: undefined }, ['maintenance.0.scheduledStart required']],
    [{ scheduledEnd: null }, ['maintenance.0.scheduledEnd wrong_type']],
    [{ scheduledEnd: '09:00' }, ['maintenance.0.scheduledEnd bad_format']],
    [{ status: 'resolved' }, ['maintenance.0.status unknown_field']],
    [{ maintenance: true }, ['maintenance.0.maintenance unknown_field']],
  ])('a maintenance window of a manifest with %j has the faults %j', (change, faults) =>
    expect(faultsOf({ maintenance: [{ ...window, ...change }] })).toEqual(faults),
  );
});

describe('the fields that only items of a manifest have', () => {
  const takes = (field: keyof typeof manifestItemFields, value: unknown) =>
    validate(manifestItemFields[field], value).ok;

  test.each([
    ['renamedFrom', 'old-key', true],
    ['renamedFrom', 'Old name', true],
    ['renamedFrom', '', false],
    ['renamedFrom', 'x'.repeat(201), false],
    ['monitorsWith', { team: 'ops', tier: '1' }, true],
    ['monitorsWith', {}, false],
    ['monitorsWith', { tier: 1 }, false],
    ['overrides', { prod: { interval: 10 }, test: {} }, true],
    ['overrides', { prod: null }, false],
    ['forEach', ['a', { host: 'b' }, 3], true],
    ['forEach', { region: ['eu', 'us'], host: ['a'] }, true],
    ['forEach', { region: 'eu' }, false],
    ['forEach', 'abc', false],
  ] as const)('the field %s may be %j: %s', (field, value, expected) => expect(takes(field, value)).toBe(expected));
});
