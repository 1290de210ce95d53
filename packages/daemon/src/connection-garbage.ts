import { setTimeout as sleep } from 'node:timers/promises';

/** After this many calls, V8 compiles a function with its optimizing compiler. Its default is 3,000 calls. */
const optimizedAfterCalls = 500;

/**
 * After `afterMs`, lets V8 free closed connections with its frequent, cheap collections of new objects. By default, a
 * closed connection and all that it refers to stay in memory until a full collection. There are two causes:
 *
 * - Node's streams assign a new function to a property (`WritableState.onwrite`). V8 allocates such a function as an old
 *   object, except in the code of its optimizing compiler. So this compiler has to compile the stream soon.
 * - If the objects of a line of code survived collections before, the optimizing compiler allocates them as old objects
 *   from then on. This is called allocation-site pretenuring. It is off here.
 *
 * The flags are not set earlier, for the same reason as in heap-growth.ts.
 */
export async function freeConnectionsSoon(afterMs: number): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  await sleep(afterMs, undefined, { ref: false });
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--invocation-count-for-turbofan=${optimizedAfterCalls}`);
}
