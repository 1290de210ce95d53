import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';

/**
 * Waits until `condition` holds, looking 50 times a second. Throws with `what` after `exactMs` milliseconds, or later in
 * `npm test`.
 */
export async function until(what: string, exactMs: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  const ms = boundMs(exactMs);
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
