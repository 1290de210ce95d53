import { setTimeout as sleep } from 'node:timers/promises';

/**
 * After `afterMs`, lets V8 free closed connections with its frequent, cheap collections of new objects. By default, a
 * closed connection and all that it refers to stay in memory until a full collection. There are two causes:
 *
 * - Node's streams assign a new function to a property (`WritableState.onwrite`). V8 creates such a function as an old
 *   object, except in the code of its optimizing compiler. This compiler compiles the code of streams after some 20,000
 *   connections.
 * - If the objects that a line of code creates often survive, the optimizing compiler creates them as old objects from
 *   then on. This is called allocation-site pretenuring. It is off here, because the first cause misleads it.
 *
 * The flag is not set earlier, for the same reason as in heap-growth.ts.
 */
export async function freeConnectionsSoon(afterMs: number): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  await sleep(afterMs, undefined, { ref: false });
  setFlagsFromString('--no-allocation-site-pretenuring');
}
