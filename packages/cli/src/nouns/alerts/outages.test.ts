import type { Alert } from '@uptime/sdk';
import { expect, test } from 'vitest';
import { outagesOf } from './outages.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const alert = (channelName: string, from: number, to: number | null, more: Partial<Alert> = {}): Alert =>
  ({
    id: `alr_${channelName}${from}`,
    type: 'monitor_down',
    monitorId: 'mon_1',
    monitorName: 'Shop',
    channelName,
    triggeredAt: at(from),
    resolvedAt: to === null ? null : at(to),
    ...more,
  }) as Alert;

test('overlapping alerts to several channels are one outage, from the first alert until the last alert was resolved', () => {
  const outages = outagesOf([alert('mail', 0, 5), alert('chat', 2, 6), alert('mail', 10, 12)]);
  expect(outages.map(({ firedAt, resolvedAt, alerts }) => [firedAt, resolvedAt, alerts.length])).toEqual([
    [at(10), at(12), 1],
    [at(0), at(6), 2],
  ]);
});

test('an outage is open while one of its alerts is open, and open outages come first', () => {
  const outages = outagesOf([
    alert('mail', 0, null),
    alert('chat', 1, 2),
    alert('mail', 20, 21, { monitorId: 'mon_2' }),
    alert('mail', 3, null, { type: 'ssl_expiring' }),
  ]);
  expect(outages.map(({ type, monitorId, resolvedAt }) => [type, monitorId, resolvedAt])).toEqual([
    ['ssl_expiring', 'mon_1', null],
    ['monitor_down', 'mon_1', null],
    ['monitor_down', 'mon_2', at(21)],
  ]);
});
