import type { Incident, Monitor } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { overviewOf } from './overview.ts';
import { shareRows } from './render-overview.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const hour = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

const site = (name: string, days: number, error: string | null = null, more: object = {}) =>
  ({
    id: name,
    name,
    key: null,
    type: 'http',
    status: 'up',
    sslExpiryThreshold: 14,
    domainExpiryThreshold: 30,
    certificate: { issuer: 'An issuer', daysRemaining: days, error },
    domain: { name: 'example.com', daysRemaining: 400, error: null },
    ...more,
  }) as unknown as Monitor;
const incident = (change: object): Incident =>
  ({ title: 'x', monitorIds: [], maintenance: false, resolvedAt: null, ...change }) as unknown as Incident;

test('the overview lists certificates that expire soon or are not valid, and domains that expire soon, the earliest expiry first', () => {
  const monitors = [
    site('far', 14),
    site('near', 13),
    site('untrusted', 200, 'The chain is not complete.'),
    site('expired', -3, 'It has expired.'),
    site('paused', 1, null, { status: 'paused' }),
    site('domain', 99, null, { domain: { name: 'example.org', daysRemaining: 20, error: null } }),
  ];
  const { expiries, counts } = overviewOf(monitors, [], new Map(), now);
  expect(expiries.map(({ monitor, what }) => [monitor, what])).toEqual([
    ['expired', 'certificate'],
    ['near', 'certificate'],
    ['domain', 'domain'],
    ['untrusted', 'certificate'],
  ]);
  expect(counts).toEqual({ up: 5, down: 0, pending: 0, paused: 1 });
});

test('the overview lists maintenance windows that are in force or begin within a day, and marks monitors that are in maintenance', () => {
  const monitors = [site('a', 99, null, { status: 'down' }), site('b', 99, null, { status: 'down' })];
  const window = (title: string, from: number, to: number, more = {}) =>
    incident({ title, maintenance: true, scheduledStart: hour(from), scheduledEnd: hour(to), ...more });
  const incidents = [
    window('tomorrow', 23, 30),
    window('now', -1, 1, { monitorIds: ['a'] }),
    window('next week', 200, 201),
    window('ended early', -1, 1, { resolvedAt: hour(0) }),
    window('elsewhere', -1, 1, { monitorIds: ['of no interest'] }),
    incident({ title: 'open' }),
    incident({ title: 'closed', resolvedAt: hour(-1) }),
  ];
  const found = overviewOf(monitors, incidents, new Map([['b', { since: hour(-2), reason: 'refused' }]]), now);
  expect(found.windows.map(({ title }) => title)).toEqual(['now', 'tomorrow']);
  expect(found.incidents.map(({ title }) => title)).toEqual(['open']);
  expect(found.down.map(({ id, reason, inMaintenance }) => [id, reason, inMaintenance])).toEqual([
    ['b', 'refused', false],
    ['a', null, true],
  ]);
});

test('shareRows divides the lines of the screen among the sections', () => {
  expect(shareRows([3, 2], 10)).toEqual([3, 2]);
  expect(shareRows([100, 2], 12)).toEqual([8, 2]);
  expect(shareRows([5, 5, 5], 0)).toEqual([1, 1, 1]);
});
