import { test } from 'vitest';
import { killUnderAlerts } from './kill-under-alerts.ts';
import { killUnderPings } from './kill-under-pings.ts';

// At once: each kills a daemon of its own, and both wait most of the time.
test.concurrent(
  'killed 6 times under 300 pings a second, it never loses an acknowledged ping',
  { timeout: 120_000 },
  () => killUnderPings(6),
);

test.concurrent(
  'killed 6 times while 100 monitors flap and channels misbehave, it tells each outage once',
  { timeout: 240_000 },
  () => killUnderAlerts(6),
);
