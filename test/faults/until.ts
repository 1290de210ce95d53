/** Waits until `condition` holds, looking 50 times a second. Throws with `what` after `ms` milliseconds. */
export async function until(what: string, ms: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
