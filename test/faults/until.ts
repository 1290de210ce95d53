import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';

/**
 * Waits until `condition` returns true; calls it 50 times a second. Throws an error that contains `what` if the wait
 * takes too long: more than `ms` milliseconds in the long tests. In other tests, the limit is at least 20 s, because
 * the machine may be busy.
 */
export async function until(what: string, ms: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  const maxMs = boundMs(ms);
  const deadline = performance.now() + maxMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${maxMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
