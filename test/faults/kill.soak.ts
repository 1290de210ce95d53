import { test } from 'vitest';
import { killUnderPings } from './kill-under-pings.ts';

test('killed 200 times under 300 pings a second, it never loses an acknowledged ping', () => killUnderPings(200));
