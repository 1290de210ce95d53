import { test } from 'vitest';
import { killUnderAlerts } from './kill-under-alerts.ts';
import { killUnderPings } from './kill-under-pings.ts';

// They run at the same time, because each kills its own daemon, and both mostly wait.
test.concurrent(
  'killed 4 times under 300 pings a second, it never loses an acknowledged ping',
  { timeout: 120_000 },
  () => killUnderPings(4),
);

test.concurrent(
  'killed 4 times while 100 monitors flap and channels misbehave, it reports each outage once',
  { timeout: 240_000 },
  () => killUnderAlerts(4),
);
