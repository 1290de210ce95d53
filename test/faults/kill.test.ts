import { test } from 'vitest';
import { killUnderAlerts } from './kill-under-alerts.ts';
import { killUnderPings } from './kill-under-pings.ts';

// The two tests run at the same time, because each kills its own daemon, and both mostly wait.
test.concurrent('a daemon that is killed 4 times under 300 pings a second never loses an acknowledged ping', () =>
  killUnderPings(4),
);

test.concurrent(
  'a daemon that is killed 4 times while 100 monitors flap and channels misbehave loses no alarm and no recovery',
  () => killUnderAlerts(4),
);
