import { test } from 'vitest';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong } from './wrong-clocks.ts';

const timeoutMs = 60_000;

test.concurrent(
  'a wall clock that is an hour back for 5 s makes no silence and hides none',
  () => beWrong('an hour back for 5 s'),
  timeoutMs,
);

test.concurrent(
  'a PostgreSQL that stands still for 5 s makes no silence and hides none',
  () => stopPostgres([5000]),
  timeoutMs,
);
