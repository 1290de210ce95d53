import { describe, test } from 'vitest';
import { inAFleet, type Wrong } from './fleet-clocks.ts';
import { stopPostgres } from './stopped-postgres.ts';
import { beWrong, inItsOwnProcess, wrongClocks } from './wrong-clocks.ts';

const kinds = Object.keys(wrongClocks) as (keyof typeof wrongClocks)[];
const worst = (delays: readonly { target: number; job: number }[]) =>
  `reported at most ${Math.round(Math.max(...delays.map(({ target }) => target)))} ms (target) and ` +
  `${Math.round(Math.max(...delays.map(({ job }) => job)))} ms (job) after the bound`;

describe('in 20 runs of each fault, a wrong wall clock neither causes nor hides an alarm', () => {
  test.each(kinds)('%s', async (kind) => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => beWrong(kind)));
    console.log(`${kind}: ${runs.length} runs, ${worst(runs.flat())}`);
  });
});

describe('a wrong wall clock of a daemon in its own process neither causes nor hides an alarm', () => {
  test.concurrent.each(kinds)('%s', async (kind) => {
    console.log(`${kind}, in a process: ${worst(await beWrong(kind, inItsOwnProcess))}`);
  });
});

describe('in 3 runs of each fault, wrong clocks of three daemons on one PostgreSQL neither cause nor hide an alarm', () => {
  const shared = kinds.filter((kind) => !kind.includes('restart') && !kind.includes('at the start'));
  const wrong: Wrong[] = ['one machine', 'all machines', 'all machines and the database'];
  test.each(wrong.flatMap((whose) => shared.map((kind) => [kind, whose] as const)))(
    '%s, on %s',
    async (kind, whose) => {
      const runs = await Promise.all([1, 2, 3].map(() => beWrong(kind, () => inAFleet(whose))));
      console.log(`${kind}, on ${whose}: ${runs.length} runs, ${worst(runs.flat())}`);
    },
  );
});

describe('a PostgreSQL that stalls for 5 to 25 s', () => {
  const stops = Array.from({ length: 20 }, (_, run) => 5000 + run * 1050);
  test.concurrent.each([0, 1, 2, 3])('neither causes nor hides an alarm: quarter %i of the lengths', async (part) => {
    const own = stops.filter((_, run) => run % 4 === part);
    console.log(`${own.length} stops of 3 daemons: ${worst(await stopPostgres(own, 3))}`);
  });
});
