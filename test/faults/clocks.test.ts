import { test, vi } from 'vitest';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong, wrongClocks } from './wrong-clocks.ts';

vi.setConfig({ maxConcurrency: 10 });
const timeoutMs = 60_000;
// The longest one runs only in the soak test.
const kinds = (Object.keys(wrongClocks) as (keyof typeof wrongClocks)[]).filter(
  (kind) => !kind.startsWith('set twice'),
);

test.concurrent.each(kinds)(
  'a wall clock neither fakes nor hides a silence: %s',
  async (kind) => void (await beWrong(kind)),
  timeoutMs,
);

test.concurrent(
  'a PostgreSQL that stalls for 5 s neither fakes nor hides a silence',
  async () => void (await stopPostgres([5000])),
  timeoutMs,
);
