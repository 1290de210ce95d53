import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { passedResult } from '../testing/passed-result.ts';
import type { Store } from '../store/store.ts';
import { createResultQueue, type QueuedResult, type ResultQueue } from './result-queue.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await databases[0]!.open();
});
afterEach(() => database.dispose());

const resultOf = (monitor: number, at: number, verdict: QueuedResult['verdict']): QueuedResult =>
  passedResult(at, { monitor, verdict });

/** Takes all results out of the queue, as a probe does when it sends them. */
async function takeAll(queue: ResultQueue): Promise<QueuedResult[]> {
  const taken: QueuedResult[] = [];
  for (let next = await queue.next(); next.length > 0; next = await queue.next()) {
    taken.push(...next);
    await queue.drop(next.at(-1)!.seq);
  }
  return taken;
}

/** Returns the first result, and each result whose verdict differs from the verdict of the result before it. */
const changes = (of: readonly { verdict: string; at: number }[]) =>
  of.filter(({ verdict }, at) => at === 0 || of[at - 1]!.verdict !== verdict).map(({ verdict, at }) => [verdict, at]);

test('a queue over its limit keeps every change of verdict, and the first and last result of each monitor', async () => {
  const maxWaiting = 400;
  const queue = await createResultQueue(database.store, maxWaiting);
  const verdicts: QueuedResult['verdict'][] = [];
  for (let at = 0; at < 1000; at++) verdicts.push(Math.floor(at / 90) % 2 === 0 ? 'up' : 'down');
  const all = verdicts.flatMap((verdict, at) => [resultOf(1, at, verdict), resultOf(2, at, 'up')]);
  await database.store.write((trx) => queue.add(trx, all));
  for (let round = 0; round < 10; round++) await queue.thin();
  expect((await queue.waiting()).queued).toBeLessThanOrEqual(maxWaiting);

  const kept = await takeAll(queue);
  const first = kept.filter(({ monitor }) => monitor === 1);
  expect(changes(first)).toEqual(changes(all.filter(({ monitor }) => monitor === 1)));
  for (const monitor of [1, 2]) {
    const times = kept.filter((result) => result.monitor === monitor).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect([times[0], times.at(-1)]).toEqual([0, 999]);
  }
});

test('a queue with a few results of each of many monitors shrinks below its limit, and keeps every change of verdict', async () => {
  const [monitors, rounds, maxWaiting] = [1500, 8, 7000];
  const queue = await createResultQueue(database.store, maxWaiting);
  // Every tenth monitor changes its verdict every four rounds.
  const verdictOf = (monitor: number, round: number) =>
    monitor % 10 === 0 && Math.floor(round / 4) % 2 === 1 ? 'down' : 'up';
  const all: QueuedResult[] = [];
  for (let round = 0; round < rounds; round++)
    for (let monitor = 1; monitor <= monitors; monitor++) all.push(resultOf(monitor, round, verdictOf(monitor, round)));
  await database.store.write((trx) => queue.add(trx, all));
  await queue.thin();
  expect((await queue.waiting()).queued).toBeLessThanOrEqual(maxWaiting);

  const kept = Map.groupBy(await takeAll(queue), ({ monitor }) => monitor);
  for (const [monitor, own] of Map.groupBy(all, (result) => result.monitor)) {
    const left = kept.get(monitor) ?? [];
    expect([monitor, ...changes(left)]).toEqual([monitor, ...changes(own)]);
    expect([left.at(0)?.at, left.at(-1)?.at]).toEqual([0, rounds - 1]);
  }
});

test('if there are more changes of verdict than the limit, the queue keeps them all, and is full only for the monitors over their share', async () => {
  const maxWaiting = 300;
  const queue = await createResultQueue(database.store, maxWaiting);
  const flapping = (monitor: number, rounds: number) =>
    Array.from({ length: rounds }, (_, at) => resultOf(monitor, at, at % 2 === 0 ? 'up' : 'down'));
  const all = [...flapping(1, 400), ...flapping(2, 40), resultOf(3, 0, 'up')];
  await database.store.write((trx) => queue.add(trx, all));
  expect([queue.fullFor(1), queue.fullFor()]).toEqual([null, null]);
  await queue.thin();
  expect(queue.fullFor()).toBe(queue.fullFor(1));
  expect(queue.fullFor(1)).toContain('Too many changes of verdict');
  expect([queue.fullFor(2), queue.fullFor(3)]).toEqual([null, null]);

  const [before, rest] = [await queue.next(), all.length - maxWaiting];
  await queue.drop(before[rest - 2]!.seq);
  await queue.thin();
  expect(queue.fullFor(1)).not.toBe(null);
  await queue.drop(before[rest - 1]!.seq);
  await queue.thin();
  expect([queue.fullFor(1), queue.fullFor()]).toEqual([null, null]);
  expect((await takeAll(queue)).map(({ monitor, at }) => [monitor, at])).toEqual(
    all.slice(-maxWaiting).map(({ monitor, at }) => [monitor, at]),
  );
});

test('a result says that results before it were deleted, even after several passes of thinning', async () => {
  const queue = await createResultQueue(database.store, 4);
  const all = Array.from({ length: 100 }, (_, at) => resultOf(1, at, at < 60 ? 'up' : 'down'));
  await database.store.write((trx) => queue.add(trx, all));
  await queue.thin();
  const kept = await queue.next();
  expect(kept.map(({ at, thinned = null }) => [at, thinned])).toEqual([
    [0, null],
    [59, { since: 0, longestGapMs: 1 }],
    [60, null],
    [99, { since: 60, longestGapMs: 1 }],
  ]);
});

test('the queue is no longer full for a monitor as soon as the server has taken its results, even if the queue stays over its limit', async () => {
  const queue = await createResultQueue(database.store, 100);
  const flapping = (monitor: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => resultOf(monitor, from + at, at % 2 === 0 ? 'up' : 'down'));
  const add = (results: QueuedResult[]) => database.store.write((trx) => queue.add(trx, results));
  await add([...flapping(1, 0, 80), ...[2, 3, 4, 5, 6, 7].flatMap((monitor) => flapping(monitor, 0, 5))]);
  await queue.thin();
  expect([1, 2].map((monitor) => queue.fullFor(monitor) !== null)).toEqual([true, false]);
  await queue.drop((await queue.next())[70]!.seq);
  await add([2, 3, 4, 5, 6, 7].flatMap((monitor) => flapping(monitor, 5, 16)));
  await queue.thin();
  expect((await queue.waiting()).queued).toBeGreaterThan(100);
  expect(queue.fullFor()).toBe(null);
});

test('after a pass of thinning that left the queue over its limit, the next pass waits until the queue has grown by a tenth', async () => {
  const { store } = database;
  const maxWaiting = 1000;
  const queue = await createResultQueue(store, maxWaiting);
  const round = (at: number, size = 250) =>
    Array.from({ length: size }, (_, monitor) => resultOf(monitor + 1, at, at % 2 === 0 ? 'up' : 'down'));
  await store.write((trx) =>
    queue.add(
      trx,
      [0, 1, 2, 3, 4].flatMap((at) => round(at)),
    ),
  );
  await queue.thin();
  const pieces = vi.spyOn(store, 'write');
  await store.write((trx) => queue.add(trx, round(5, 90)));
  pieces.mockClear();
  await queue.thin();
  expect(pieces).not.toHaveBeenCalled();
  await store.write((trx) => queue.add(trx, round(6, 20)));
  pieces.mockClear();
  await queue.thin();
  expect(pieces).toHaveBeenCalled();
  expect((await queue.waiting()).queued).toBe(1360);
});

test('thinning deletes the right results, even if the results get new numbers during a pass', async () => {
  const { store } = database;
  const queue = await createResultQueue(store, 4000);
  const all = Array.from({ length: 6000 }, (_, at) => resultOf(1, at, Math.floor(at / 5) % 2 === 0 ? 'up' : 'down'));
  await store.write((trx) => queue.add(trx, all));
  const write = store.write.bind(store);
  const writes = vi.spyOn(store, 'write');
  // The fourth write of a pass deletes results that the third write has read. Before the fourth write, the server
  // confirms number 1001, so all waiting results get numbers above 1001.
  const passOn = (work: Parameters<Store['write']>[0]) => write(work);
  for (let times = 0; times < 3; times++) writes.mockImplementationOnce(passOn);
  writes.mockImplementationOnce(async (work) => {
    await queue.join(1001);
    return write(work);
  });
  await queue.thin();
  expect((await queue.next())[0]!.seq).toBeGreaterThan(1001);
  await queue.thin();
  expect((await queue.waiting()).queued).toBeLessThanOrEqual(4000);
  expect(changes(await takeAll(queue))).toEqual(changes(all));
});

test('after a restore from a backup, results that the server does not know get new numbers, in their order', async () => {
  const { store } = database;
  const earlier = await createResultQueue(store);
  await store.write((trx) => earlier.add(trx, [resultOf(1, 1, 'up'), resultOf(1, 2, 'up')]));
  // The folder was restored from a backup. After that backup, the server recorded results up to number 4.
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
