import { test } from 'vitest';
import { killUnderAlerts } from './kill-under-alerts.ts';
import { killUnderPings } from './kill-under-pings.ts';

test('killed 20 times under 300 pings a second, it never loses an acknowledged ping', { timeout: 120_000 }, () =>
  killUnderPings(20),
);

test(
  'killed 20 times while 100 monitors flap and channels misbehave, it tells each outage once',
  { timeout: 240_000 },
  () => killUnderAlerts(20),
);
