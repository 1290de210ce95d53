import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { type Clock, systemClock } from '../../packages/daemon/src/deps.ts';
import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';
import { createTestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';
import { type WatchedDaemon, watchClock } from './clock-watch.ts';
import { startDaemonProcess } from './daemon-process.ts';

const minute = 60_000;
/**
 * Returns the maximum time, in milliseconds, from the end of interval and grace period to the report of an outage. The
 * daemon needs this time to find and store the outage. The same limit applies to the time between two checks of a
 * monitor with an interval of 1 s.
 */
export const lateMs = () => boundMs(2500);

type Phase = [aheadMs: number, forMs: number] | 'restart';

/**
 * The shifts of the wall clock, one after another: how far it is ahead, and for how long, in milliseconds. The daemon
 * starts with the first shift.
 */
export const wrongClocks = {
  'an hour back for 5 s': [
    [0, 0],
    [-60 * minute, 5000],
    [0, 1000],
  ],
  'two hours ahead for half a second': [
    [0, 0],
    [120 * minute, 650],
    [0, 3000],
  ],
  'a second and a half ahead for good': [
    [0, 0],
    [1500, 12_500],
  ],
  'two seconds ahead for good': [
    [0, 0],
    [2000, 12_500],
  ],
  '43 minutes behind at the start, and then corrected': [
    [-43 * minute, 500],
    [0, 12_500],
  ],
  'two hours ahead for good, as after a suspension': [
    [0, 0],
    [120 * minute, 12_500],
  ],
  'set twice within 15 s': [
    [0, 0],
    [120 * minute, 11_500],
    [-180 * minute, 12_500],
  ],
  'a day back, across midnight': [
    [0, 0],
    [-1440 * minute, 12_500],
  ],
  'an hour back at a restart, and then corrected': [[0, 0], [-60 * minute, 0], 'restart', [0, 12_500]],
  'two hours ahead at a restart, and then corrected': [[0, 0], [120 * minute, 0], 'restart', [0, 12_500]],
} satisfies Record<string, Phase[]>;

export interface WronglyTimed extends WatchedDaemon, AsyncDisposable {
  setAhead(ms: number): Promise<void>;
  restart(): Promise<void>;
}

/**
 * Makes the wall clock of a daemon wrong while jobs ping and a target answers. Expects that failures are reported in
 * time if they begin with the first change of the clock, or after its last change. Returns how late they were reported.
 */
export async function beWrong(
  kind: keyof typeof wrongClocks,
  start: (aheadMs: number) => Promise<WronglyTimed> = inThisProcess,
): Promise<{ target: number; job: number }[]> {
  const [[first], ...rest] = wrongClocks[kind] as [[number, number], ...Phase[]];
  await using daemon = await start(first);
  await using watched = await watchClock(daemon);
  let awayMs = 0;
  const outages: ReturnType<typeof watched.causeOutage>[] = [];
  for (const [at, phase] of rest.entries()) {
    if (phase === 'restart') {
      const begun = performance.now();
      await daemon.restart();
      awayMs += performance.now() - begun;
      watched.restartGap();
      continue;
    }
    const [aheadMs, forMs] = phase;
    await daemon.setAhead(aheadMs);
    if (outages.length === 0) outages.push(watched.causeOutage());
    const last = at === rest.length - 1;
    // The last outage begins 3 s before the last shift ends. So the daemon corrects its clock while the job is silent.
    const before = last ? Math.max(0, forMs - 3000) : forMs;
    await sleep(before);
    if (last) outages.push(watched.causeOutage());
    await sleep(forMs - before);
  }
  const [before, ...after] = await Promise.all(outages);
  // The daemon cannot report while it does not run, so the time of a restart is subtracted from the delay.
  const late = [{ target: before!.target - awayMs, job: before!.job - awayMs }, ...after];
  expect(await watched.falseDowns()).toEqual([]);
  expect(watched.longestGapMs()).toBeLessThan(lateMs());
  for (const { target, job } of late) {
    expect(target).toBeLessThan(lateMs());
    expect(job).toBeLessThan(lateMs());
  }
  return late;
}

/** Starts a daemon in this process, which is cheap. Each daemon has its own clock. */
async function inThisProcess(first: number): Promise<WronglyTimed> {
  let aheadMs = first;
  const machine: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const daemon = await createTestDaemon({ machine });
  return {
    url: () => daemon.url,
    request: (method, path, body) => daemon.request(method, path, body),
    async setAhead(ms) {
      aheadMs = ms;
    },
    restart: () => daemon.restart(),
    [Symbol.asyncDispose]: () => daemon.close(),
  };
}

/** Starts a daemon in its own process, as operators run it. */
export async function inItsOwnProcess(first: number): Promise<WronglyTimed> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-clock-'));
  const file = join(folder, 'ahead');
  await writeFile(file, String(first));
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
  const daemon = await startDaemonProcess({
    env: { UPTIME_TEST_WALL_CLOCK: file, NODE_OPTIONS: `--import=${preload}` },
  });
  return {
    url: () => daemon.url(),
    request: (method, path, body) => daemon.request(method, path, body),
    async setAhead(ms) {
      // The new file replaces the old one in one step, so that the daemon never reads a half-written file.
      await writeFile(`${file}.new`, String(ms));
      await rename(`${file}.new`, file);
    },
    async restart() {
      await daemon.end('SIGKILL');
      await daemon.start();
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
