import { test } from 'vitest';
import { killUnderPings } from './kill-under-pings.ts';

test('killed 20 times under 300 pings a second, it never loses an acknowledged ping', { timeout: 120_000 }, () =>
  killUnderPings(20),
);
