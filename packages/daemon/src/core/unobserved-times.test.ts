import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oldestAcceptedMs } from './late-results.ts';
import { addUnobserved, coverUnobserved, type TimeSpan } from './unobserved-times.ts';

const minutesOf = (times: readonly TimeSpan[]) =>
  times.flatMap(({ from, until }) => Array.from({ length: until - from }, (_, at) => from + at));

test('each minute is either covered once or stays unobserved', () => {
  const span = fc.record({ from: fc.nat(40), length: fc.nat(10) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 5 }), fc.array(span, { maxLength: 8 }), (gaps, reports) => {
      let times: readonly TimeSpan[] = [];
      let end = 0;
      for (const { from, length } of gaps) {
        times = addUnobserved(times, { from: end + from, until: end + from + length });
        end += from + length;
      }
      const all = minutesOf(times);
      const coveredMinutes: number[] = [];
      for (const { from, length } of reports) {
        const { covered, rest } = coverUnobserved(times, { from, until: from + length });
        coveredMinutes.push(...minutesOf(covered));
        times = rest;
      }
      expect([...coveredMinutes, ...minutesOf(times)].toSorted((one, other) => one - other)).toEqual(all);
      const isReported = (minute: number) =>
        reports.some(({ from, length }) => minute >= from && minute < from + length);
      expect(coveredMinutes.toSorted((one, other) => one - other)).toEqual(all.filter(isReported));
    }),
  );
});

test('times that touch become one, and times that no result can cover any more are dropped', () => {
  const times = addUnobserved(addUnobserved([], { from: 10, until: 20 }), { from: 20, until: 30 });
  expect(times).toEqual([{ from: 10, until: 30 }]);
  const later = { from: oldestAcceptedMs, until: oldestAcceptedMs + 30 };
  expect(addUnobserved(times, later)).toEqual([later]);
  expect(addUnobserved(times, { ...later, until: later.until - 1 })).toHaveLength(2);
});

test('a monitor has at most 50 unobserved times', () => {
  let times: readonly TimeSpan[] = [];
  for (let at = 0; at < 60; at++) times = addUnobserved(times, { from: at * 10, until: at * 10 + 5 });
  expect(times).toHaveLength(50);
  expect(times.at(-1)).toEqual({ from: 590, until: 595 });
});
