import { describe, test } from 'vitest';
import { inAFleet, type Wrong } from './fleet-clocks.ts';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong, inItsOwnProcess, wrongClocks } from './wrong-clocks.ts';

const kinds = Object.keys(wrongClocks) as (keyof typeof wrongClocks)[];
const worst = (delays: readonly { target: number; job: number }[]) =>
  `reported at most ${Math.round(Math.max(...delays.map(({ target }) => target)))} ms (target) and ` +
  `${Math.round(Math.max(...delays.map(({ job }) => job)))} ms (job) after the bound`;

describe('a daemon in this process', () => {
  test.each(kinds)('in 20 runs, a wall clock that is wrong (%s) neither causes nor hides an alarm', async (kind) => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => beWrong(kind)));
    console.log(`${kind}: ${runs.length} runs, ${worst(runs.flat())}`);
  });
});

describe('a daemon in its own process', () => {
  test.concurrent.each(kinds)('a wall clock that is wrong (%s) neither causes nor hides an alarm', async (kind) => {
    console.log(`${kind}, in a process: ${worst(await beWrong(kind, inItsOwnProcess))}`);
  });
});

describe('three daemons on one PostgreSQL', () => {
  const shared = kinds.filter((kind) => !kind.includes('restart') && !kind.includes('at the start'));
  const wrong: Wrong[] = ['one machine', 'all machines', 'all machines and the database'];
  test.each(wrong.flatMap((whose) => shared.map((kind) => [kind, whose] as const)))(
    'in 3 runs, a clock that is wrong (%s) on %s neither causes nor hides an alarm',
    async (kind, whose) => {
      const runs = await Promise.all([1, 2, 3].map(() => beWrong(kind, () => inAFleet(whose))));
      console.log(`${kind}, on ${whose}: ${runs.length} runs, ${worst(runs.flat())}`);
    },
  );
});

describe('daemons and a PostgreSQL that stalls', () => {
  const stops = Array.from({ length: 20 }, (_, run) => 5000 + run * 1050);
  test.concurrent.each([0, 1, 2, 3])(
    'a PostgreSQL that stalls for 5 to 25 s neither causes nor hides an alarm (part %i of the runs)',
    async (part) => {
      const own = stops.filter((_, run) => run % 4 === part);
      console.log(`${own.length} stops of 3 daemons: ${worst(await stopPostgres(own, 3))}`);
    },
  );
});
