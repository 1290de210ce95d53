import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { growthPercentAt } from './heap-growth.ts';

const source = pathToFileURL(join(import.meta.dirname, 'heap-growth.ts')).href;

/**
 * A program that replaces old objects again and again, as the daemon replaces the states of monitors. As in the server,
 * each turn of the event loop is short, so V8 can collect old objects in steps between the turns. The program prints
 * the largest size of its heap in megabytes.
 */
const program = (isLimited: boolean) => `
  const { limitHeapGrowth } = await import('${source}');
  // The timer of limitHeapGrowth does not keep the process running, so this timer does.
  const open = setInterval(() => {}, 1000);
  if (${isLimited}) await limitHeapGrowth(0);
  clearInterval(open);
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'x'.repeat(20) + id }));
  const scattered = (n) => (n * 7919) % rows.length;
  let largest = 0;
  for (let n = 0; n < 700_000; n++) {
    const id = scattered(n);
    rows[id] = { id, text: 'x'.repeat(20) + n };
    if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (n > 200_000 && n % 5000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal);
  }
  console.log(largest / 1e6);
`;

async function largestHeap(isLimited: boolean): Promise<number> {
  // The garbage collector runs in one thread, so that the heap's size does not depend on how busy the machine is.
  const collector = ['--max-semi-space-size=1', '--single-threaded-gc'];
  // Without a limit, V8 lets a small heap grow to four times its size. On a busy machine it would sometimes choose less.
  const growth = isLimited ? [] : ['--heap-growing-percent=300'];
  const args = [...collector, ...growth, '--input-type=module', '-e', program(isLimited)];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

test('a process with a limit on its heap growth needs less memory for the same work', async () => {
  const [limited, unlimited] = [await largestHeap(true), await largestHeap(false)];
  expect(limited).toBeLessThan(0.5 * unlimited);
});

test('the heap of a busy process may grow more between two collections', () => {
  expect([0.1, 0.25, 0.5].map(growthPercentAt)).toEqual([50, 50, 100]);
});
