import { describe, test } from 'vitest';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong, wrongClocks } from './wrong-clocks.ts';

describe.each(Object.keys(wrongClocks) as (keyof typeof wrongClocks)[])('a wall clock %s', (kind) => {
  test.concurrent.each([1, 2, 3])('makes no silence and hides none: %i', () => beWrong(kind));
});

describe('a PostgreSQL that stands still', () => {
  const stops = Array.from({ length: 20 }, (_, run) => 5000 + run * 1050);
  test.concurrent.each([0, 1, 2, 3])('for 5 to 25 s makes no silence and hides none: part %i', (part) =>
    stopPostgres(stops.filter((_, run) => run % 4 === part)),
  );
});
