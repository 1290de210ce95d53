import { describe, expect, test } from 'vitest';
import { isPassive, monitorType, passiveMonitorTypes, validateMonitor } from '../index.ts';

/** Changes fields of a valid heartbeat, and returns the faults, each as `path code`. */
const faultsOf = (change: object) => {
  const parsed = validateMonitor({ type: 'heartbeat', name: 'Backup', ...change });
  return parsed.ok ? [] : parsed.faults.map(({ path, code }) => `${path} ${code}`);
};

describe('a heartbeat accepts', () => {
  test.each([
    ['an interval of a second', { interval: 1 }],
    ['an interval of 30 days', { interval: 2_592_000 }],
    ['a grace period of zero', { gracePeriod: 0 }],
    ['a grace period of a week', { gracePeriod: 604_800 }],
  ])('a heartbeat accepts %s', (_, change) => expect(faultsOf(change)).toEqual([]));
});

describe('a heartbeat refuses', () => {
  test.each([
    ['an interval of zero', { interval: 0 }, 'interval too_small'],
    ['an interval beyond 30 days', { interval: 2_592_001 }, 'interval too_big'],
    ['a negative grace period', { gracePeriod: -1 }, 'gracePeriod too_small'],
    ['a grace period beyond a week', { gracePeriod: 604_801 }, 'gracePeriod too_big'],
    ['a grace period with a unit', { gracePeriod: '5m' }, 'gracePeriod wrong_type'],
    ['a ping address, which the server makes', { pingUrl: 'http://h/ping/t' }, 'pingUrl unknown_field'],
    ['a target', { url: 'http://h/' }, 'url unknown_field'],
  ])('a heartbeat refuses %s', (_, change, fault) => expect(faultsOf(change)).toEqual([fault]));
});

test('a heartbeat may be silent for its interval plus its grace period', () => {
  const parsed = validateMonitor({ type: 'heartbeat', name: 'Backup', interval: 3600, gracePeriod: 90 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(monitorType('heartbeat').silenceMs?.(parsed.value)).toBe(3_690_000);
});

test('by default, a heartbeat expects a ping every minute and has a grace period of 30 seconds', () => {
  expect(validateMonitor({ type: 'heartbeat', name: 'Backup' })).toMatchObject({
    ok: true,
    value: { interval: 60, gracePeriod: 30 },
  });
});

test('heartbeat is the only type that contacts no target', () => {
  expect(passiveMonitorTypes).toEqual(['heartbeat']);
  expect(isPassive({ type: 'heartbeat' })).toBe(true);
  expect(isPassive({ type: 'http' })).toBe(false);
});
