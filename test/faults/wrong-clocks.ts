import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { watchClock } from './clock-watch.ts';
import { startDaemonProcess } from './daemon-process.ts';

const minute = 60_000;

/** What the wall clock is ahead by, in milliseconds, and for how long. The first is there from the start. */
export const wrongClocks = {
  'an hour back for 5 s': [
    [0, 0],
    [-60 * minute, 5000],
    [0, 1000],
  ],
  'two hours ahead for half a second': [
    [0, 0],
    [120 * minute, 500],
    [0, 3000],
  ],
  'a second and a half ahead for good': [
    [0, 0],
    [1500, 15_000],
  ],
  '43 minutes behind at the start, and then corrected': [
    [-43 * minute, 2000],
    [0, 15_000],
  ],
  'two hours ahead for good, as after a suspension': [
    [0, 0],
    [120 * minute, 15_000],
  ],
} satisfies Record<string, [aheadMs: number, forMs: number][]>;

/** Jobs ping and a target answers while the wall clock of a real daemon is wrong; then a job falls silent. */
export async function beWrong(kind: keyof typeof wrongClocks): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-clock-'));
  const file = join(folder, 'ahead');
  try {
    const [first, ...rest] = wrongClocks[kind];
    await writeFile(file, String(first![0]));
    const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
    await using daemon = await startDaemonProcess({
      env: { UPTIME_TEST_WALL_CLOCK: file, NODE_OPTIONS: `--import=${preload}` },
    });
    await using watched = await watchClock(daemon);
    await sleep(first![1]);
    for (const [aheadMs, forMs] of rest) {
      await writeFile(file, String(aheadMs));
      await sleep(forMs);
    }
    expect(await watched.falseDowns()).toEqual([]);
    expect(watched.longestGapMs()).toBeLessThan(2500);
    expect(await watched.silenceIsFound()).toBeLessThan(2500);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
