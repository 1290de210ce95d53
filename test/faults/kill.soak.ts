import { test } from 'vitest';
import { killUnderAlerts } from './kill-under-alerts.ts';
import { killUnderPings } from './kill-under-pings.ts';

test('a daemon that is killed 200 times under 300 pings a second never loses an acknowledged ping', () =>
  killUnderPings(200));

test('a daemon that is killed 200 times while 100 monitors flap and channels misbehave loses no alarm and no recovery', () =>
  killUnderAlerts(200));
