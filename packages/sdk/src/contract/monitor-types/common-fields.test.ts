import { describe, expect, test } from 'vitest';
import { monitorType, monitorTypeDefinitions, monitorTypes, validateMonitor } from '../index.ts';

/** Changes fields of a valid ping monitor, and returns the faults, each as `path code`. */
const faultsOf = (change: object) => {
  const parsed = validateMonitor({ type: 'ping', name: 'Router', host: '10.0.0.1', ...change });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};
const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`label-${n}`, 'x']));

describe('every monitor accepts', () => {
  test.each([
    ['the shortest key', { key: 'a' }],
    ['the longest key', { key: 'a'.repeat(63) }],
    ['a key of every allowed character', { key: 'a-z_0.9' }],
    ['null as a key', { key: null }],
    ['the name of a repository as managedBy', { managedBy: 'Shop/monitors.prod_1-a' }],
    ['a manifest name of 100 characters', { managedBy: 'm'.repeat(100) }],
    ['a name of one character', { name: 'x' }],
    ['a name of 200 characters', { name: 'x'.repeat(200) }],
    ['a name of 200 emoji, which are 400 code units', { name: '🧀'.repeat(200) }],
    ['an empty description', { description: '' }],
    ['a description of 2000 characters on several lines', { description: 'line\n'.repeat(400) }],
    ['50 labels', { labels: entries(50) }],
    ['a label with an empty value', { labels: { team: '' } }],
    ['a label of 500 characters', { labels: { team: 'x'.repeat(500) } }],
    ['a label name of 63 characters', { labels: { ['x'.repeat(63)]: 'x' } }],
    ['the shortest interval', { interval: 1 }],
    ['an interval of a day', { interval: 86_400 }],
    ['the shortest timeout', { timeout: 1 }],
    ['the longest timeout', { timeout: 120 }],
    ['zero retries', { retries: 0 }],
    ['five retries', { retries: 5 }],
    ['50 regions', { regions: Array.from({ length: 50 }, (_, n) => `region-${n}`) }],
    ['null as regions, which means all regions', { regions: null }],
    ['a region name of 63 characters', { regions: ['r'.repeat(63)] }],
    ['a region name that begins with a digit', { regions: ['1-eu'] }],
    ['true as paused', { paused: true }],
  ])('every monitor accepts %s', (_, change) => expect(faultsOf(change)).toEqual([]));
});

describe('every monitor refuses', () => {
  test.each([
    ['an empty key', { key: '' }, 'key bad_format'],
    ['a key in capitals', { key: 'Shop' }, 'key bad_format'],
    ['a key with a slash', { key: 'shop/cart' }, 'key bad_format'],
    ['a key of 64 characters', { key: 'a'.repeat(64) }, 'key bad_format'],
    ['a key that is a number', { key: 5 }, 'key wrong_type'],
    ['an empty manifest name', { managedBy: '' }, 'managedBy bad_format'],
    ['a manifest name that begins with a dot', { managedBy: '.shop' }, 'managedBy bad_format'],
    ['a manifest name of 101 characters', { managedBy: 'm'.repeat(101) }, 'managedBy bad_format'],
    ['a manifest name with a blank', { managedBy: 'my shop' }, 'managedBy bad_format'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name bad_format'],
    ['null as a name', { name: null }, 'name wrong_type'],
    ['a missing name', { name: undefined }, 'name required'],
    ['a description of 2001 characters', { description: 'x'.repeat(2001) }, 'description too_big'],
    ['51 labels', { labels: entries(51) }, 'labels too_many_entries'],
    ['a label that is a number', { labels: { tier: 1 } }, 'labels.tier wrong_type'],
    ['a label of 501 characters', { labels: { team: 'x'.repeat(501) } }, 'labels.team bad_format'],
    ['a label name of 64 characters', { labels: { ['x'.repeat(64)]: 'x' } }, `labels.${'x'.repeat(64)} bad_name`],
    ['an empty label name', { labels: { '': 'x' } }, 'labels. bad_name'],
    ['a list of labels', { labels: ['team'] }, 'labels wrong_type'],
    ['null as labels', { labels: null }, 'labels wrong_type'],
    ['an interval of zero', { interval: 0 }, 'interval too_small'],
    ['an interval beyond a day', { interval: 86_401 }, 'interval too_big'],
    ['an interval with a fraction', { interval: 1.5 }, 'interval wrong_type'],
    ['an interval as text', { interval: '60' }, 'interval wrong_type'],
    ['an interval with a unit', { interval: '1m' }, 'interval wrong_type'],
    ['a timeout of zero', { timeout: 0 }, 'timeout too_small'],
    ['a timeout beyond two minutes', { timeout: 121 }, 'timeout too_big'],
    ['a negative number of retries', { retries: -1 }, 'retries too_small'],
    ['six retries', { retries: 6 }, 'retries too_big'],
    ['51 regions', { regions: Array.from({ length: 51 }, (_, n) => `r${n}`) }, 'regions too_big'],
    ['a region in capitals', { regions: ['eu', 'US'] }, 'regions.1 bad_format'],
    ['a region that begins with a dash', { regions: ['-eu'] }, 'regions.0 bad_format'],
    ['a region name of 64 characters', { regions: ['r'.repeat(64)] }, 'regions.0 bad_format'],
    ['a region that is not in a list', { regions: 'eu' }, 'regions wrong_type'],
    ['the word yes as paused', { paused: 'yes' }, 'paused wrong_type'],
  ])('every monitor refuses %s', (_, change, fault) => expect(faultsOf(change)).toEqual([fault]));
});

test.each(['id', 'projectId', 'status', 'createdAt', 'updatedAt', 'lastCheckedAt', 'nextCheckAt', 'pausedReason'])(
  'an input cannot have the read-only field %s',
  (field) => expect(faultsOf({ [field]: null })).toEqual([`${field} unknown_field`]),
);

test.each(monitorTypes)('a %s monitor requires only a type, a name and a target', (type) => {
  const parsed = validateMonitor({ type, name: 'n', ...monitorType(type).sample });
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      key: null,
      managedBy: null,
      description: null,
      labels: {},
      interval: 60,
      timeout: monitorTypeDefinitions[type].timeoutSeconds,
      retries: 0,
      regions: [],
      paused: false,
    },
  });
});

test('the fault of a number out of range names the smallest and the largest value', () => {
  const parsed = validateMonitor({ type: 'ping', name: 'Router', host: '10.0.0.1', retries: 6, timeout: 0 });
  expect(parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path} ${message}`)).toEqual([
    'retries must be a whole number from 0 to 5',
    'timeout must be a whole number from 1 to 120',
  ]);
});
