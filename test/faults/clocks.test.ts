import { test, vi } from 'vitest';
import { inAFleet } from './fleet-clocks.ts';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong, wrongClocks } from './wrong-clocks.ts';

vi.setConfig({ maxConcurrency: 10 });
const timeoutMs = 180_000;
// Leaves out 'set twice', which takes longest, and 'two seconds', which resembles 'a second and a half'. On a single
// daemon, only clocks.soak.ts tests these two kinds.
const kinds = (Object.keys(wrongClocks) as (keyof typeof wrongClocks)[]).filter(
  (kind) => !kind.startsWith('set twice') && !kind.startsWith('two seconds'),
);

test.concurrent.each(kinds)(
  'a wall clock that is wrong (%s) neither causes nor hides an alarm',
  async (kind) => void (await beWrong(kind)),
  timeoutMs,
);

test.concurrent.each([
  ['an hour back for 5 s', 'all machines and the database'],
  ['two hours ahead for half a second', 'all machines and the database'],
  ['two seconds ahead for good', 'one machine'],
] as const)(
  'for daemons on one PostgreSQL, a clock that is wrong (%s) on %s neither causes nor hides an alarm',
  async (kind, wrong) => void (await beWrong(kind, () => inAFleet(wrong))),
  timeoutMs,
);

test.concurrent(
  'a PostgreSQL that stalls for 5 s neither causes nor hides an alarm',
  async () => void (await stopPostgres([5000])),
  timeoutMs,
);
