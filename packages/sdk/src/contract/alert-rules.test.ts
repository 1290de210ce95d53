import { describe, expect, test } from 'vitest';
import { alertRuleEndpoints, alertRulePatch, triggers, validate, validateAlertRule } from './index.ts';

const base = { name: 'Shop is down', monitorIds: ['mon_1'], channelIds: ['chn_1'] };
const faultsOf = (result: ReturnType<typeof validate>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);
const ids = (count: number) => Array.from({ length: count }, (_, n) => `id_${n}`);

describe('a rule accepts', () => {
  test.each<[string, object]>([
    ['empty lists of monitors and channels', { monitorIds: [], channelIds: [] }],
    ['1000 monitors', { monitorIds: ids(1000) }],
    ['100 channels', { channelIds: ids(100) }],
    ...triggers.map((trigger): [string, object] => [`the trigger ${trigger}`, { trigger }]),
    ['100 failures before an alert', { consecutiveFailures: 100 }],
    ['a reminder every second', { reminderInterval: 1 }],
    ['a reminder every week', { reminderInterval: 604_800 }],
    ['null as the reminder interval', { reminderInterval: null }],
    ['false as notifyOnRecovery', { notifyOnRecovery: false }],
    ['false as expiryAlerts', { expiryAlerts: false }],
    ['false as enabled', { enabled: false }],
    ['a key and the name of a manifest', { key: 'shop', managedBy: 'shop' }],
  ])('a rule accepts %s', (_, change) => expect(faultsOf(validateAlertRule({ ...base, ...change }))).toEqual([]));
});

describe('a rule refuses', () => {
  test.each([
    ['a missing name', { name: undefined }, 'name required'],
    ['a name on two lines', { name: 'a\nb' }, 'name bad_format'],
    ['a missing list of monitors', { monitorIds: undefined }, 'monitorIds required'],
    ['null as monitors', { monitorIds: null }, 'monitorIds wrong_type'],
    ['a monitor that is not in a list', { monitorIds: 'mon_1' }, 'monitorIds wrong_type'],
    ['a number as a monitor', { monitorIds: ['mon_1', 2] }, 'monitorIds.1 wrong_type'],
    ['1001 monitors', { monitorIds: ids(1001) }, 'monitorIds too_big'],
    ['a missing list of channels', { channelIds: undefined }, 'channelIds required'],
    ['101 channels', { channelIds: ids(101) }, 'channelIds too_big'],
    ['an unknown trigger', { trigger: 'monitor_up' }, 'trigger not_a_choice'],
    ['zero failures before an alert', { consecutiveFailures: 0 }, 'consecutiveFailures too_small'],
    ['101 failures before an alert', { consecutiveFailures: 101 }, 'consecutiveFailures too_big'],
    ['1.5 failures before an alert', { consecutiveFailures: 1.5 }, 'consecutiveFailures wrong_type'],
    [
      'two failures before an alert about a certificate',
      { trigger: 'ssl_expiring', consecutiveFailures: 2 },
      'consecutiveFailures only_for_monitor_down',
    ],
    ['a reminder every zero seconds', { reminderInterval: 0 }, 'reminderInterval too_small'],
    ['a reminder less than once a week', { reminderInterval: 604_801 }, 'reminderInterval too_big'],
    ['a reminder interval with a unit', { reminderInterval: '1h' }, 'reminderInterval wrong_type'],
    ['the word yes as enabled', { enabled: 'yes' }, 'enabled wrong_type'],
    ['null as notifyOnRecovery', { notifyOnRecovery: null }, 'notifyOnRecovery wrong_type'],
    ['the names of monitors, which only a manifest has', { monitors: ['shop'] }, 'monitors unknown_field'],
  ])('a rule refuses %s', (_, change, fault) =>
    expect(faultsOf(validateAlertRule({ ...base, ...change }))).toEqual([fault]),
  );
});

test('by default, a rule opens an alert after one failure, and reports the recovery', () => {
  expect(validateAlertRule(base)).toEqual({
    ok: true,
    value: {
      ...base,
      key: null,
      managedBy: null,
      trigger: 'monitor_down',
      consecutiveFailures: 1,
      notifyOnRecovery: true,
      reminderInterval: null,
      expiryAlerts: true,
      enabled: true,
    },
  });
});

test.each([
  [{}, []],
  [{ enabled: false }, []],
  // Null restores a default.
  [{ trigger: null, consecutiveFailures: null, reminderInterval: null, key: null }, []],
  [{ consecutiveFailures: 101 }, ['consecutiveFailures too_big']],
  [{ monitorIds: ids(1001) }, ['monitorIds too_big']],
  [{ trigger: 'down' }, ['trigger not_a_choice']],
  [{ enabeld: true }, ['enabeld unknown_field']],
])('the change %j of a rule has the faults %j', (patch, faults) =>
  expect(faultsOf(validate(alertRulePatch, patch))).toEqual(faults),
);

test('a change of a rule fills in no defaults, so it leaves the other fields as they are', () => {
  expect(validate(alertRulePatch, { name: 'New' })).toEqual({ ok: true, value: { name: 'New' } });
});

test.each([
  [{}, []],
  [{ alertId: 'alr_1', status: 'failed', limit: '10', cursor: 'c' }, []],
  [{ status: 'open' }, ['status not_a_choice']],
  [{ alertId: 'x'.repeat(64) }, ['alertId too_big']],
  [{ channelId: 'chn_1' }, ['channelId unknown_field']],
])('the query %j of deliveries has the faults %j', (query, faults) => {
  expect(faultsOf(validate(alertRuleEndpoints.listDeliveries.query, query))).toEqual(faults);
});
