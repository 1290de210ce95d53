import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const source = pathToFileURL(join(import.meta.dirname, 'start-garbage.ts')).href;

/**
 * A program that keeps its event loop busy for `busyMs`. For each forced garbage collection, it prints the milliseconds
 * since its start.
 */
const program = (busyMs: number) => `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  const { collectStartGarbage } = await import('${source}');
  const { NODE_PERFORMANCE_GC_FLAGS_FORCED, NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE } = constants;
  const forced = NODE_PERFORMANCE_GC_FLAGS_FORCED | NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE;
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries())
      if (detail.flags & forced) console.log(startTime - begun);
  });
  observer.observe({ entryTypes: ['gc'] });
  const begun = performance.now();
  const done = collectStartGarbage(200);
  const work = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    if (performance.now() - begun < ${busyMs}) setImmediate(work);
  };
  work();
  // The timers of collectStartGarbage do not keep the process running, so this timer does.
  const open = setInterval(() => {}, 1000);
  await done;
  setTimeout(() => clearInterval(open), 200);
`;

async function collections(busyMs: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(busyMs)]);
  return stdout.split('\n').filter(Boolean).map(Number);
}

test('an idle process collects the garbage of its start in two collections', async () => {
  const times = await collections(0);
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times[0]).toBeGreaterThan(200);
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(200);
});

test('a process that is busy after its start collects the garbage only when it becomes idle', async () => {
  const times = await collections(1500);
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times[0]).toBeGreaterThan(1500);
});
