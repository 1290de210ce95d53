import { expect, test } from 'vitest';
import { bucketCount, type Versions } from '../core/version-buckets.ts';
import { digestVersions, maxMonitorsAtOnce } from '../version-digests.ts';
import { changeBetween, changeFor, digested } from './assignment-change.ts';

const monitors = 100_000;
/** Maximum number of monitors that one turn of the event loop may process: a piece and one more bucket. */
const maxInTurn = maxMonitorsAtOnce + monitors / bucketCount;

const manyVersions = (version: number): Versions =>
  new Map(Array.from({ length: monitors }, (_, seq) => [seq, `${version}.17`]));

/** Returns the result of `work`, and how many turns of the event loop ran until `work` was done. */
async function countTurns<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let [turns, going] = [0, true];
  const look = () => {
    turns++;
    if (going) setImmediate(look);
  };
  setImmediate(look);
  const result = await work();
  going = false;
  return { turns, result };
}

test('other work runs while the digests of the monitors of a large probe are computed', async () => {
  const wanted = manyVersions(1);
  const { digests } = await digestVersions(wanted);
  const call = { has: [...digests], versions: [] };
  const first = await countTurns(() => changeFor(call, wanted));
  expect(first.result).toEqual({ changed: [], removed: [], ask: [] });
  // Each monitor is put into a bucket, and then digested.
  expect(first.turns).toBeGreaterThanOrEqual((2 * monitors) / maxInTurn);
  const again = await countTurns(() => changeFor(call, wanted));
  expect(again.result).toEqual(first.result);
  expect(again.turns).toBeLessThanOrEqual(1);
});

test('the digests of a map of monitors are computed only once, even if two calls need them at the same time', async () => {
  const wanted = manyVersions(1);
  const first = digested(wanted);
  expect(digested(wanted)).toBe(first);
  await first;
  expect(digested(wanted)).toBe(first);
});

test('other work runs while all monitors of a large probe are compared', async () => {
  const edited = await countTurns(() => changeBetween(manyVersions(1), manyVersions(2)));
  expect(edited.result.changed).toHaveLength(monitors);
  expect(edited.turns).toBeGreaterThanOrEqual((2 * monitors) / maxInTurn);
  const nothing = Array.from({ length: bucketCount }, () => '');
  const wanted = manyVersions(1);
  await changeFor({ has: nothing, versions: [] }, wanted);
  const added = await countTurns(() => changeFor({ has: nothing, versions: [] }, wanted));
  expect(added.result.changed).toHaveLength(monitors);
  expect(added.turns).toBeGreaterThanOrEqual(monitors / maxInTurn);
});
