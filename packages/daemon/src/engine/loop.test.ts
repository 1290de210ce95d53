import { expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { findHungLoops, hungAfterMs, watched, watchedSlow } from './hung-loops.ts';
import { startLoop } from './loop.ts';

test('a hanging loop is reported by name: if it is essential, as the reason of bad health, or else as a warning', async () => {
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

test('loops that wait for long begin together, not later than they asked', async () => {
  const clock = createFakeClock();
  const begunMonoMs: Record<string, number[]> = { early: [], late: [], short: [] };
  const start = (name: string, waitMs: number) =>
    startLoop({ clock, log: silentLog }, name, async () => {
      begunMonoMs[name]!.push(clock.monotonicMs());
      return waitMs;
    });
  const from = clock.monotonicMs();
  const early = start('early', 1000);
  await clock.advance(70);
  const late = start('late', 1000);
  const short = start('short', 200);
  await clock.advance(2400);
  const sinceStart = Object.values(begunMonoMs).map((times) => times.slice(0, 4).map((at) => at - from));
  const gridMs = (ms: number) => ms - ((from + ms) % 250);
  expect(sinceStart).toEqual([
    [0, gridMs(1000), gridMs(2000)],
    [70, gridMs(1070), gridMs(2070)],
    [70, 270, 470, 670],
  ]);
  expect(gridMs(1000)).toBe(gridMs(1070));
  await Promise.all([early, late, short].map((loop) => loop.stop()));
});
