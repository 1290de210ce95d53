import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinAbsences, observedMs, observedUntil, servingMs, unservedSince } from './absence.ts';

const [from, to] = [100_000, 200_000];
const since = (...signs: number[]) =>
  unservedSince(
    { from, to, readAt: to + 10_000 },
    signs.map((aliveAt) => ({ aliveAt })),
  );

it.each([
  ['without another daemon, no daemon has served since the absence began', [], from],
  ['if another daemon ended before the absence, no daemon has served since the absence began', [from - 50_000], from],
  [
    'if two daemons ended during the absence, no daemon has served since the later end',
    [from + 50_000, from + 20_000],
    from + 50_000,
  ],
  ['if another daemon serves now, there is no time without a daemon', [from + 50_000, to - servingMs + 1], null],
  [
    'if the last sign of life of another daemon is too old, no daemon has served since that sign',
    [to - servingMs],
    to - servingMs,
  ],
  ['if the clock of another daemon is a little ahead, that daemon counts as serving', [to + 10_000 + servingMs], null],
  ['if the clock of another daemon is wrong, its sign of life is ignored', [to + 10_000 + servingMs + 1], from],
])('%s', (_, signs, expected) => {
  expect(since(...signs)).toBe(expected);
});

it.each([
  ['all time counts without an absence', 0, [], 100],
  ['all time counts long after an absence', 50, [{ from: 10, to: 20 }], 50],
  ['an absence does not count, nor do the 15 s after it', 0, [{ from: 10, to: 40 }], 55],
  ['the part of an absence before the measured time has no effect', 20, [{ from: 10, to: 40 }], 45],
  ['an absence that still lasts does not count', 0, [{ from: 60, to: 130 }], 60],
  ['the 15 s after an absence that has just ended do not count', 0, [{ from: 60, to: 90 }], 60],
  ['an absence that begins after the measured time has no effect', 0, [{ from: 160, to: 190 }], 100],
  [
    'time counts between absences',
    0,
    [
      { from: 10, to: 15 },
      { from: 35, to: 40 },
      { from: 75, to: 80 },
    ],
    10 + 5 + 20 + 5,
  ],
  [
    'time does not count between absences that are close together',
    0,
    [
      { from: 10, to: 40 },
      { from: 50, to: 60 },
    ],
    35,
  ],
])('%s', (_, since, absences, expected) => {
  const seconds = absences.map(({ from, to }) => ({ from: from * 1000, to: to * 1000 }));
  expect(observedMs(since * 1000, 100_000, seconds)).toBe(expected * 1000);
});

const anyTime = fc.integer({ min: 0, max: 1_000_000 });
const anyAbsence = fc
  .tuple(anyTime, fc.integer({ min: 0, max: 100_000 }))
  .map(([start, ms]) => ({ from: start, to: start + ms }));
const anyAbsences = fc.array(anyAbsence, { maxLength: 30 }).map(joinAbsences);

it('observedUntil returns the first time up to which observedMs counts the given number of milliseconds', () => {
  fc.assert(
    fc.property(anyTime, fc.integer({ min: 1, max: 500_000 }), anyAbsences, (since, ms, absences) => {
      const until = observedUntil(since, ms, absences);
      expect(observedMs(since, until, absences)).toBe(ms);
      expect(observedMs(since, until - 1, absences)).toBe(ms - 1);
    }),
  );
});

it('joinAbsences returns at most 20 absences, and does not change how much time was observed', () => {
  const seconds = Array.from({ length: 4000 }, (_, at) => at);
  // Most gaps between two absences are longer than the 15 s that probes need to connect again.
  const step = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let end = 0;
      const given = steps.map(([gap, length]) => ({ from: (end += gap), to: (end += length) }));
      const joined = joinAbsences(given.map(({ from, to }) => ({ from: from * 1000, to: to * 1000 })));
      expect(joined.length).toBeLessThanOrEqual(20);
      // The oldest absences may become one absence. From a time inside that absence, `observedMs` may count another
      // time than the test. So the test counts from times before and after that absence.
      const exactSince = [Math.min(0, joined[0]?.from ?? 0), joined[1]?.from ?? 0];
      for (const since of exactSince) {
        const observed = seconds.filter(
          (at) => at * 1000 >= since && !given.some(({ from, to }) => at >= from && at < to + 15),
        );
        expect(observedMs(since, 4_000_000, joined)).toBe(observed.length * 1000 + Math.max(0, -since));
      }
    }),
  );
});
