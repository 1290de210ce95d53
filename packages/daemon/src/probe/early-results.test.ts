import { afterEach, beforeEach, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { passedResult } from '../testing/passed-result.ts';
import { createResultQueue, type QueuedResult, type ResultQueue } from './result-queue.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await databases[0]!.open();
});
afterEach(() => database.dispose());

const resultOf = (at: number, isEarly: boolean): QueuedResult => passedResult(at, { isEarly });
const add = (queue: ResultQueue, at: number, isEarly = true) =>
  database.store.write((trx) => queue.add(trx, [resultOf(at, isEarly)]));
const sent = async (queue: ResultQueue) => (await queue.next()).map(({ verdict, begun, at }) => [verdict, begun, at]);

test('the first exchange corrects the times of earlier checks, but not those of an earlier process', async () => {
  await add(await createResultQueue(database.store), 1);
  const queue = await createResultQueue(database.store);
  await add(queue, 2);
  await queue.join(0, 600_000);
  await add(queue, 600_003, false);
  // This check ended before the exchange, and was stored after it.
  await add(queue, 3);
  expect(await sent(queue)).toEqual([
    ['up', 1, 1],
    ['up', 600_002, 600_002],
    ['up', 600_003, 600_003],
    ['up', 600_003, 600_003],
  ]);
  expect((await queue.waiting()).oldestAt).toBe(1);
  expect(Object.keys((await queue.next())[1]!)).not.toContain('early');
});

test('the correction of early results outlasts a restart of the probe', async () => {
  const queue = await createResultQueue(database.store);
  await add(queue, 1);
  await queue.join(0, -1);
  const restarted = await createResultQueue(database.store);
  await restarted.join(0, 500);
  expect(await sent(restarted)).toEqual([['up', 0, 0]]);
});

test('if the clock was too wrong, the results of early checks have no verdict', async () => {
  const queue = await createResultQueue(database.store);
  await add(queue, 1);
  await queue.join(0, null);
  await add(queue, 2, false);
  expect(await sent(queue)).toEqual([
    ['internal', 1, 1],
    ['up', 2, 2],
  ]);
});

test('thinning treats early and later results separately, and the times that it noted in early results are corrected', async () => {
  const queue = await createResultQueue(database.store, 5);
  for (let at = 1; at <= 20; at++) await add(queue, at);
  await queue.join(0, 1000);
  for (let at = 1021; at <= 1040; at++) await add(queue, at, false);
  await queue.thin();
  expect((await queue.next()).map(({ at, thinned = null }) => [at, thinned])).toEqual([
    [1001, null],
    [1020, { since: 1001, longestGapMs: 1 }],
    [1021, null],
    [1040, { since: 1021, longestGapMs: 1 }],
  ]);
});
