import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { findHungLoops, hungAfterMs, watched, watchedSlow } from './hung-loops.ts';
import { startLoop } from './loop.ts';

test('health names a hanging loop in its reason if the loop is essential, and otherwise in a warning', async () => {
  const clock = createFakeClock();
  const hanging = Promise.withResolvers<number>();
  const start = (name: string, run: () => Promise<number>) => startLoop({ clock, log: silentLog }, name, run);
  const loops = [
    watched(
      'well',
      start('well', async () => 1000),
    ),
    watched(
      'checker',
      start('checker', () => hanging.promise),
    ),
    watchedSlow(
      'expiries',
      start('expiries', () => hanging.promise),
    ),
  ];
  await clock.advance(hungAfterMs);
  expect(findHungLoops(loops)).toEqual({ reason: null, warnings: [] });
  await clock.advance(5000);
  expect(findHungLoops(loops)).toEqual({
    reason: 'The loop "checker" hangs: its run began 35 s ago.',
    warnings: [],
  });
  await clock.advance(20 * hungAfterMs);
  expect(findHungLoops(loops).warnings).toEqual(['The loop "expiries" hangs: its run began 635 s ago.']);

  hanging.resolve(1000);
  await clock.advance(0);
  expect(findHungLoops(loops)).toEqual({ reason: null, warnings: [] });
  await Promise.all(loops.map(({ loop }) => loop.stop()));
});

test('a stop aborts the signal of the current run, and waits for the run', async () => {
  const clock = createFakeClock();
  let ended = false;
  const loop = startLoop({ clock, log: silentLog }, 'slow', async (stopping) => {
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    ended = true;
    return 1000;
  });
  await clock.advance(0);
  await loop.stop();
  expect(ended).toBe(true);
  await clock.advance(5000);
  expect(clock.waiting()).toBe(0);
});

test('loops that poll begin their runs together, and all other loops wait exactly as long as they asked', async () => {
  const clock = createFakeClock();
  const begunMonoMs: number[][] = [];
  const start = (waitMs: number) => {
    const times: number[] = [];
    begunMonoMs.push(times);
    return startLoop({ clock, log: silentLog }, 'loop', async () => {
      times.push(clock.monotonicMs());
      return waitMs;
    });
  };
  const loops = [start(1000)];
  await clock.advance(70);
  loops.push(start(1000), start(500), start(250), start(400));
  await clock.advance(2000);
  expect(begunMonoMs).toEqual([
    [0, 1000, 2000],
    [70, 1000, 2000],
    [70, 500, 1000, 1500, 2000],
    [70, 320, 570, 820, 1070, 1320, 1570, 1820, 2070],
    [70, 470, 870, 1270, 1670, 2070],
  ]);
  await Promise.all(loops.map((loop) => loop.stop()));
});

test('a loop that polls runs once in each interval, even if its timer fires early', async () => {
  const clock = createFakeClock();
  const begunMonoMs: number[] = [];
  const early = { ...clock, after: (ms: number, call: () => void) => clock.after(Math.max(0, ms - 0.6), call) };
  const loop = startLoop({ clock: early, log: silentLog }, 'loop', async () => {
    begunMonoMs.push(Math.round(clock.monotonicMs()));
    return 500;
  });
  await clock.advance(1600);
  expect(begunMonoMs).toEqual([0, 499, 999, 1499]);
  await loop.stop();
});
