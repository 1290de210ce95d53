import { afterEach, beforeEach, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createResultQueue, type QueuedResult } from './result-queue.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await databases[0]!.open();
});
afterEach(() => database.dispose());

const resultOf = (monitor: number, at: number, verdict: QueuedResult['verdict']): QueuedResult => ({
  monitor,
  generation: 0,
  begun: at,
  at,
  verdict,
  over: false,
  error: null,
  responseTime: null,
  statusCode: null,
  timings: null,
  certificate: null,
});

test('a queue over its limit keeps every change of verdict, and the first and last result of each monitor', async () => {
  const most = 400;
  const queue = await createResultQueue(database.store, most);
  const verdicts: QueuedResult['verdict'][] = [];
  for (let at = 0; at < 1000; at++) verdicts.push(Math.floor(at / 90) % 2 === 0 ? 'up' : 'down');
  const all = verdicts.flatMap((verdict, at) => [resultOf(1, at, verdict), resultOf(2, at, 'up')]);
  await database.store.write((trx) => queue.add(trx, all));
  for (let round = 0; round < 10; round++) await queue.thin();
  expect((await queue.waiting()).queued).toBeLessThanOrEqual(most);

  const kept: QueuedResult[] = [];
  for (let next = await queue.next(); next.length > 0; next = await queue.next()) {
    kept.push(...next);
    await queue.drop(next.at(-1)!.seq);
  }
  const changes = (of: readonly { verdict: string; at: number }[]) =>
    of.filter(({ verdict }, at) => at === 0 || of[at - 1]!.verdict !== verdict).map(({ verdict, at }) => [verdict, at]);
  const first = kept.filter(({ monitor }) => monitor === 1);
  expect(changes(first)).toEqual(changes(all.filter(({ monitor }) => monitor === 1)));
  for (const monitor of [1, 2]) {
    const times = kept.filter((result) => result.monitor === monitor).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect([times[0], times.at(-1)]).toEqual([0, 999]);
  }
});

test('after a restore from a backup, results that the server does not know get new numbers, in their order', async () => {
  const { store } = database;
  const earlier = await createResultQueue(store);
  await store.write((trx) => earlier.add(trx, [resultOf(1, 1, 'up'), resultOf(1, 2, 'up')]));
  // The folder is from a backup: since then, the server has recorded results up to number 4.
  const queue = await createResultQueue(store);
  await store.write((trx) => queue.add(trx, [resultOf(1, 3, 'up'), resultOf(1, 4, 'down'), resultOf(1, 5, 'up')]));
  await queue.join(4);
  expect((await queue.next()).map(({ seq, at }) => [seq, at])).toEqual([
    [5, 3],
    [6, 4],
    [7, 5],
  ]);
  await store.write((trx) => queue.add(trx, [resultOf(1, 6, 'up')]));
  await queue.drop(5);
  expect((await queue.next()).map(({ seq, at }) => [seq, at])).toEqual([
    [6, 4],
    [7, 5],
    [8, 6],
  ]);
});
