import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  activeMonitorTypes,
  dailyUptime,
  delivery,
  health,
  heartbeatMetrics,
  metrics,
  monitor,
  monitorReads,
  monitorType,
  monitorTypes,
  passiveMonitorTypes,
  problem,
  responseTime,
  stats,
  unhealthy,
  usage,
  validateMonitor,
} from './index.ts';

const at = '2026-01-31T08:00:00.000Z';
const state = { id: 'mon_1', projectId: 'prj_1', pausedReason: null, createdAt: at, updatedAt: at };
const fits = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe.each(monitorTypes)('a %s monitor in an answer', (type) => {
  const parsed = validateMonitor({ type, name: 'n', ...monitorType(type).sample });
  const own = Object.fromEntries(
    monitorType(type).readOnly.map((field) => [field, field === 'pingUrl' ? 'http://h/ping/t' : null]),
  );
  const answer = {
    ...(parsed.ok && parsed.value),
    ...state,
    ...own,
    status: 'pending',
    lastCheckedAt: null,
    nextCheckAt: null,
  };

  test('a monitor in an answer is valid with all fields of the input and all read-only fields', () => {
    expect(monitor.safeParse(answer).error).toBeUndefined();
  });

  test('a monitor in an answer is invalid without a read-only field, without labels, or without regions', () => {
    for (const field of ['id', 'status', 'nextCheckAt', 'labels', 'regions', ...Object.keys(own)])
      expect(fits(monitor, { ...answer, [field]: undefined }), field).toBe(false);
  });

  test('a monitor in an answer never has null for labels or regions', () => {
    expect(fits(monitor, { ...answer, labels: null })).toBe(false);
    expect(fits(monitor, { ...answer, regions: null })).toBe(false);
  });

  test('a monitor in an answer may have results by region, each with a valid status', () => {
    const result = {
      region: 'eu',
      status: 'unknown',
      responseTime: null,
      statusCode: null,
      error: null,
      checkedAt: null,
    };
    expect(fits(monitor, { ...answer, regionResults: [result] })).toBe(true);
    expect(fits(monitor, { ...answer, regionResults: [{ ...result, status: 'pending' }] })).toBe(false);
  });
});

test('the read-only fields of a monitor follow from the definition of its type', () => {
  const having = (field: string) => monitorTypes.filter((type) => field in monitorReads[type].shape);
  expect(having('pingUrl')).toEqual(passiveMonitorTypes);
  expect(having('lastPingAt')).toEqual(passiveMonitorTypes);
  expect(having('domain')).toEqual(activeMonitorTypes);
  expect(having('certificate')).toEqual(monitorTypes.filter((type) => monitorType(type).certificate));
  expect(having('secretsError')).toEqual(
    monitorTypes.filter((type) => Object.keys(monitorType(type).secrets).length > 0),
  );
});

describe('uptime', () => {
  const day = { date: '2026-01-31', maintenanceSeconds: 0 };
  test.each([
    [0, true],
    [99.95, true],
    [100, true],
    [null, true],
    [-0.1, false],
    [100.1, false],
    [undefined, false],
  ])('an uptime of %j is valid in an answer: %s', (uptime, expected) =>
    expect(fits(dailyUptime, { ...day, uptime })).toBe(expected),
  );

  test('the uptime may be null if nothing was observed', () => {
    const none = { uptime24h: null, uptime7d: null, uptime30d: null, avgResponseTime: null, p95ResponseTime: null };
    expect(fits(stats, { ...none, status: 'pending', lastCheckedAt: null })).toBe(true);
    expect(fits(stats, { ...none, status: 'unknown', lastCheckedAt: null })).toBe(false);
  });
});

test.each([
  [{}, true],
  [{ rows: 3, host: 'db1' }, true],
  [{ rows: -1.5 }, true],
  [{ ok: true }, false],
  [{ rows: null }, false],
  [{ nested: {} }, false],
  [[], false],
])('the value %j is valid as the metrics of a ping: %s', (value, expected) => {
  expect(fits(metrics, value)).toBe(expected);
  const entry = { timestamp: at, duration: null, status: 'success', exitCode: null };
  expect(fits(heartbeatMetrics, { ...entry, metrics: value })).toBe(expected);
});

test.each([
  ['a passed check', { status: 'up', error: null }, true],
  ['a failed check', { status: 'down', error: { code: 'timeout', message: 'x' } }, true],
  ['an unknown code', { status: 'down', error: { code: 'other', message: 'x' } }, false],
  ['a paused check', { status: 'paused', error: null }, false],
])('the entry with %s (%j) is valid in a list of checks: %s', (_, check, expected) => {
  const entry = { timestamp: at, responseTime: null, region: 'eu', statusCode: null, timings: null, ...check };
  expect(fits(responseTime, entry)).toBe(expected);
});

test.each(['alarm', 'reminder', 'recovery', 'close'])('the kind of a delivery may be %s', (kind) => {
  const ids = { id: 'dlv_1', alertId: 'alr_1', monitorName: 'Shop', channelId: 'chn_1', channelName: 'Ops' };
  const times = { createdAt: at, nextAttemptAt: null, finishedAt: null };
  const attempts = [{ at, duration: 12.5, status: null, text: '' }];
  expect(fits(delivery, { ...ids, ...times, kind, status: 'pending', attempts })).toBe(true);
  expect(fits(delivery, { ...ids, ...times, kind, status: 'open', attempts })).toBe(false);
});

test('an answer about health is valid with or without the fields that only an operator sees', () => {
  expect(fits(health, { status: 'ok', version: '1' })).toBe(true);
  expect(fits(health, { status: 'ok', version: '1', reason: null, roles: ['api'], warnings: [] })).toBe(true);
  expect(fits(health, { status: 503, version: '1' })).toBe(false);
  const document = { type: 'about:blank', title: 't', status: 503, detail: 'd', code: 'unavailable', requestId: 'r' };
  expect(fits(problem, document)).toBe(true);
  expect(fits(problem, { ...document, code: 'other' })).toBe(false);
  expect(fits(unhealthy, { ...document, version: '1' })).toBe(true);
  expect(fits(unhealthy, document)).toBe(false);
});

test('the usage has null for a limit that is not set', () => {
  const daily = { used: 0, limit: null };
  const answer = {
    plan: null,
    limits: [{ name: 'monitors', scope: 'account', unit: 'count', used: 3, limit: null }],
    perMonitor: { checkInterval: null, regions: null },
    checks: { perMinute: 0.5, underWay: 0, waiting: 0 },
    messages: { mails: daily, calls: daily },
  };
  expect(usage.safeParse(answer).error).toBeUndefined();
  expect(fits(usage, { ...answer, limits: [{ ...answer.limits[0], used: -1 }] })).toBe(false);
  expect(fits(usage, { ...answer, limits: [{ ...answer.limits[0], name: 'checks' }] })).toBe(false);
});
