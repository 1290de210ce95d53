import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createWorkUnderWay } from './work-under-way.ts';

/** Returns an object that says whether a promise has resolved. */
const watch = (promise: Promise<unknown>) => {
  const seen = { done: false };
  void promise.then(() => (seen.done = true));
  return seen;
};
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
};

test('settled resolves when all tracked work is done, including work that was added during the wait', async () => {
  const underWay = createWorkUnderWay(createFakeClock());
  const [admitted, failed, handled] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const admission = underWay.add(admitted!.promise);
  void admission.then(() => underWay.add(handled!.promise));
  underWay.add(failed!.promise).catch(() => undefined);
  const settled = watch(underWay.settled(500));
  failed!.reject(new Error('no'));
  admitted!.resolve();
  await turns();
  expect(settled.done).toBe(false);
  handled!.resolve();
  await turns();
  expect(settled.done).toBe(true);
  await underWay.settled(500);
});

test('settled resolves after the given time at the latest', async () => {
  const clock = createFakeClock();
  const underWay = createWorkUnderWay(clock);
  void underWay.add(new Promise(() => undefined));
  const settled = watch(underWay.settled(500));
  await clock.advance(499);
  await turns();
  expect(settled.done).toBe(false);
  await clock.advance(1);
  await turns();
  expect(settled.done).toBe(true);
});
