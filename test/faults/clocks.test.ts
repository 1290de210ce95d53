import { test, vi } from 'vitest';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong, type wrongClocks } from './wrong-clocks.ts';

vi.setConfig({ maxConcurrency: 10 });
const timeoutMs = 60_000;
// One of each sort. The soak has all of them, 20 times.
const kinds: (keyof typeof wrongClocks)[] = [
  'an hour back for 5 s',
  'two hours ahead for half a second',
  'a second and a half ahead for good',
  '43 minutes behind at the start, and then corrected',
];

test.concurrent.each(kinds)(
  'a wall clock makes no silence and hides none: %s',
  async (kind) => void (await beWrong(kind)),
  timeoutMs,
);

test.concurrent(
  'a PostgreSQL that stands still for 5 s makes no silence and hides none',
  async () => void (await stopPostgres([5000])),
  timeoutMs,
);
