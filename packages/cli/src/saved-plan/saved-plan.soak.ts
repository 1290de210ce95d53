import { test } from 'vitest';
import { refuseStalePlans } from '../testing/stale-plans.ts';

test('a plan is refused in 100 of 100 interleavings with something that moved', { timeout: 120_000 }, () =>
  refuseStalePlans(100),
);
