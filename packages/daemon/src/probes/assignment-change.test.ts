import { expect, test } from 'vitest';
import { bucketCount, digestOf, type Versions } from '../core/version-buckets.ts';
import { toBuckets } from '../testing/fake-probe.ts';
import { changeBetween, changeFor } from './assignment-change.ts';

const monitors = 100_000;
/** The most monitors that one turn of the event loop may work on. One bucket may come in addition. */
const mostInTurn = 2000 + monitors / bucketCount;

const manyVersions = (version: number): Versions =>
  new Map(Array.from({ length: monitors }, (_, seq) => [seq, `${version}.17`]));

/** Returns the result of `work`, and how many turns of the event loop ran meanwhile. */
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

test('other work runs while the monitors of a large probe are digested, which happens once for a map', async () => {
  const wanted = manyVersions(1);
  const call = { has: toBuckets(wanted).map(digestOf), versions: [] };
  const [first, beside] = await Promise.all([
    countTurns(() => changeFor(call, wanted)),
    countTurns(() => changeFor(call, wanted)),
  ]);
  expect(first.result).toEqual({ changed: [], removed: [], ask: [] });
  // Each monitor is put into a bucket, and then digested.
  expect(first.turns).toBeGreaterThanOrEqual((2 * monitors) / mostInTurn);
  expect(beside.result).toEqual(first.result);
  const again = await countTurns(() => changeFor(call, wanted));
  expect(again.turns).toBeLessThanOrEqual(1);
});

test('other work runs while all monitors of a large probe are compared', async () => {
  const edited = await countTurns(() => changeBetween(manyVersions(1), manyVersions(2)));
  expect(edited.result.changed).toHaveLength(monitors);
  expect(edited.turns).toBeGreaterThanOrEqual((2 * monitors) / mostInTurn);
  const nothing = Array.from({ length: bucketCount }, () => '');
  const wanted = manyVersions(1);
  await changeFor({ has: nothing, versions: [] }, wanted);
  const added = await countTurns(() => changeFor({ has: nothing, versions: [] }, wanted));
  expect(added.result.changed).toHaveLength(monitors);
  expect(added.turns).toBeGreaterThanOrEqual(monitors / mostInTurn);
});
