import { test } from 'vitest';
import { killUnderAlerts } from './kill-under-alerts.ts';
import { killUnderPings } from './kill-under-pings.ts';

test('killed 200 times under 300 pings a second, it never loses an acknowledged ping', () => killUnderPings(200));

test('killed 200 times while 100 monitors flap and channels misbehave, it reports each outage once', () =>
  killUnderAlerts(200));
