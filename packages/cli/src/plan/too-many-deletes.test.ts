import { expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import { createModelServer } from '../testing/model-server.ts';
import { apply, http, planOf } from '../testing/plan-of.ts';
import { tooManyDeletes } from './too-many-deletes.ts';

/**
 * Makes a plan that keeps `kept` of a project's monitors, and deletes the others. Returns why apply refuses the plan;
 * null if apply accepts it.
 */
async function refusal(existing: number, kept: number): Promise<string | null> {
  const server = createModelServer();
  const monitors = Array.from({ length: existing }, (_, n) => ({ ...http, name: `monitor ${n}` }));
  await apply({ monitors }, server);
  const plan = planOf({ monitors: monitors.slice(0, kept) }, server, { prune: true });
  return tooManyDeletes(plan, new Map([[kinds.monitor, existing]]));
}

test.each([
  ['all of nine monitors, which can easily be created again', 9, 0, null],
  ['no monitor of ten', 10, 10, null],
  ['three of ten, which is exactly 30 %', 10, 7, null],
  ['four of ten', 10, 6, 'the plan deletes 4 of 10 monitors, more than 30 %'],
  ['all of twenty', 20, 0, 'the plan deletes 20 of 20 monitors, more than 30 %'],
])(
  'for a plan that deletes %s (%i monitors, %i of them kept), tooManyDeletes returns %j',
  async (_, existing, kept, why) => expect(await refusal(existing, kept)).toBe(why),
);

test('tooManyDeletes counts each kind separately', async () => {
  const server = createModelServer();
  const monitors = Array.from({ length: 10 }, (_, n) => ({ ...http, name: `monitor ${n}` }));
  await apply({ monitors }, server);
  const plan = planOf({ monitors: [] }, server, { prune: true });
  expect(tooManyDeletes(plan, new Map([[kinds.channel, 100]]))).toBeNull();
  expect(
    tooManyDeletes(
      plan,
      new Map([
        [kinds.channel, 100],
        [kinds.monitor, 100],
      ]),
    ),
  ).toBeNull();
  expect(
    tooManyDeletes(
      plan,
      new Map([
        [kinds.channel, 100],
        [kinds.monitor, 10],
      ]),
    ),
  ).toContain('10 of 10 monitors');
});
