import { test } from 'vitest';
import { refuseStalePlans } from '../testing/stale-plans.ts';

test(
  'apply refuses a saved plan after each of 100 random sets of changes to the server, the files and the variables',
  { timeout: 120_000 },
  () => refuseStalePlans(100),
);
