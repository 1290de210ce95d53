import { test } from 'vitest';
import { refuseStalePlans } from '../testing/stale-plans.ts';

test('apply refuses a saved plan after each of 100 changes at different moments', { timeout: 120_000 }, () =>
  refuseStalePlans(100),
);
