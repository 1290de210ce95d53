import { expect } from 'vitest';

/** Returns the kinds of all open sockets, timers and listeners of this process. */
export const openResources = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => /TCP|TLS|Timeout|UDP/.test(kind))
    .toSorted();

/**
 * Waits up to `ms` until the process has nothing open that was not open `before`, and fails if something stays open.
 * Uses no timer, because the timer itself would be open.
 */
export async function expectNothingOpenSince(before: readonly string[], ms: number): Promise<void> {
  const more = () => {
    const known = [...before];
    return openResources().filter((kind) => !known.includes(kind) || known.splice(known.indexOf(kind), 1).length === 0);
  };
  const fromMonoMs = performance.now();
  while (performance.now() - fromMonoMs < ms && more().length > 0)
    await new Promise((resolve) => setImmediate(resolve));
  expect(more(), 'sockets and timers that were left open').toEqual([]);
}
