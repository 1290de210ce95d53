import { describe, expect, test } from 'vitest';
import { nextTurn } from '../wait.ts';
import { createMutex } from './mutex.ts';

const late = () => new Error('late');

/** Makes these callers wait at the same time, and returns the order in which the mutex admitted them. */
async function orderOf(names: readonly string[]): Promise<string[]> {
  const mutex = createMutex();
  const release = await mutex.acquire(1000, late);
  const order: string[] = [];
  const all = names.map(async (name) => {
    const done = await mutex.acquire(1000, late, name.startsWith('urgent'));
    order.push(name);
    done();
  });
  release();
  await Promise.all(all);
  return order;
}

test('the mutex admits callers one at a time, in order of arrival', async () => {
  expect(await orderOf(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
});

test('the mutex admits urgent callers first, with another caller between two urgent callers', async () => {
  const order = await orderOf(['a', 'b', 'urgent 1', 'urgent 2', 'urgent 3', 'c']);
  expect(order).toEqual(['urgent 1', 'a', 'urgent 2', 'b', 'urgent 3', 'c']);
});

test('the mutex refuses a caller that waited too long, and admits the next caller', async () => {
  const mutex = createMutex();
  const release = await mutex.acquire(1000, late);
  await expect(mutex.acquire(1, late, true)).rejects.toThrow('late');
  const next = mutex.acquire(1000, late);
  release();
  (await next)();
  (await mutex.acquire(1000, late))();
});

describe('a mutex with a limit for a turn of the event loop', () => {
  const setUp = () => {
    let now = 0;
    const mutex = createMutex({ monotonicMs: () => now, sliceMs: 8 });
    let turn = 0;
    let watching = true;
    const count = () => {
      turn++;
      if (watching) setImmediate(count);
    };
    setImmediate(count);
    /** The admitted callers, each with the turn of the event loop in which it was admitted. */
    const admitted: { name: string; turn: number }[] = [];
    const take = async (name: string, ms: number) => {
      const done = await mutex.acquire(1000, late, name.startsWith('urgent'));
      admitted.push({ name, turn });
      now += ms;
      done();
    };
    return { take, admitted, end: () => (watching = false), mutex };
  };

  test('admits the waiting callers in later turns if a turn has taken too long', async () => {
    const { take, admitted, end } = setUp();
    await Promise.all(Array.from({ length: 6 }, (_, at) => take(`write ${at}`, 5)));
    end();
    const inTurn = Map.groupBy(admitted, ({ turn }) => turn);
    // Each caller takes 5 ms, so a turn admits two callers.
    for (const [, together] of inTurn) expect(together.length).toBeLessThanOrEqual(2);
    expect(admitted.map(({ name }) => name)).toEqual(Array.from({ length: 6 }, (_, at) => `write ${at}`));
  });

  test('if a caller took too long, waits for a later turn before it admits a new caller, unless that caller is urgent', async () => {
    const { take, admitted, end } = setUp();
    await nextTurn();
    await take('long', 20);
    await Promise.all([take('late', 1), take('urgent', 1)]);
    end();
    expect(admitted.map(({ name }) => name)).toEqual(['long', 'urgent', 'late']);
    expect(admitted[1]!.turn).toBe(admitted[0]!.turn);
    expect(admitted[2]!.turn).toBeGreaterThan(admitted[0]!.turn);
  });

  test('if a caller took too long, waits for a later turn before it admits a waiting caller, unless that caller is urgent', async () => {
    const { take, admitted, end } = setUp();
    await Promise.all([take('long', 20), take('late', 1), take('urgent', 1)]);
    end();
    expect(admitted.map(({ name }) => name)).toEqual(['long', 'urgent', 'late']);
    expect(admitted[1]!.turn).toBe(admitted[0]!.turn);
    expect(admitted[2]!.turn).toBeGreaterThan(admitted[0]!.turn);
  });

  test('admits another caller between two urgent callers, even if a turn has taken too long', async () => {
    const { take, admitted, end } = setUp();
    await Promise.all([take('long', 20), take('urgent 1', 9), take('urgent 2', 9), take('a', 9), take('b', 9)]);
    end();
    expect(admitted.map(({ name }) => name)).toEqual(['long', 'urgent 1', 'a', 'urgent 2', 'b']);
  });

  test('admits one caller at a time and forgets no caller if callers arrive at random times', async () => {
    const { mutex, end } = setUp();
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const wait = async () => {
      for (let turns = random(3); turns > 0; turns--) await nextTurn();
    };
    let holders = 0;
    let largest = 0;
    const all = Array.from({ length: 200 }, async () => {
      await wait();
      const release = await mutex.acquire(10_000, late, random(2) === 0);
      largest = Math.max(largest, ++holders);
      await wait();
      holders--;
      release();
    });
    await Promise.all(all);
    end();
    expect(largest).toBe(1);
  });
});
