import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oldestAcceptedMs } from './late-results.ts';
import {
  addUnobserved,
  coverUnobserved,
  decideUnobserved,
  noteShown,
  type TimeSpan,
  type UnobservedTime,
} from './unobserved-times.ts';

const minutesOf = (times: readonly TimeSpan[]) =>
  times.flatMap(({ from, until }) => Array.from({ length: until - from }, (_, at) => from + at));

test('each unobserved minute is either covered by one report, or stays unobserved', () => {
  const span = fc.record({ from: fc.nat(40), length: fc.nat(10) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 5 }), fc.array(span, { maxLength: 8 }), (gaps, reports) => {
      let times: readonly UnobservedTime[] = [];
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

test('unobserved times that touch become one, and times that no result can cover any more are dropped', () => {
  const times = addUnobserved(addUnobserved([], { from: 10, until: 20 }), { from: 20, until: 30 });
  expect(times).toEqual([{ from: 10, until: 30 }]);
  const later = { from: oldestAcceptedMs, until: oldestAcceptedMs + 30 };
  expect(addUnobserved(times, later)).toEqual([later]);
  expect(addUnobserved(times, { ...later, until: later.until - 1 })).toHaveLength(2);
});

test('a monitor has at most 200 unobserved times', () => {
  let times: readonly UnobservedTime[] = [];
  for (let at = 0; at < 220; at++) times = addUnobserved(times, { from: at * 10, until: at * 10 + 5 });
  expect(times).toHaveLength(200);
  expect(times.at(-1)).toEqual({ from: 2190, until: 2195 });
  let parts = addUnobserved([], { from: 0, until: 10_000 });
  for (let at = 0; at < 1000; at++) parts = coverUnobserved(parts, { from: at * 10, until: at * 10 + 5 }).rest;
  expect(parts).toHaveLength(200);
});

test('many results of one region do not remove unobserved times about which other regions may still report', () => {
  let times = addUnobserved([], { from: 0, until: 10_000 });
  for (let at = 0; at < 10_000; at += 10)
    times = noteShown(times, { region: 1, from: at, until: at + 10, failed: at % 20 === 0 });
  expect(times.length).toBeLessThanOrEqual(200);
  expect(times[0]!.from).toBe(0);
  expect(times.at(-1)!.until).toBe(10_000);
});

/**
 * Notes the results of regions in an unobserved time from 0 to 9. Returns the times whose status is then decided, and
 * the times that stay unobserved. `-` marks a failed result.
 */
function decide(shown: readonly [region: number, from: number, until: number, failed?: '-'][], missing: number[]) {
  let times = addUnobserved([], { from: 0, until: 9 });
  for (const [region, from, until, failed] of shown)
    times = noteShown(times, { region, from, until, failed: failed === '-' });
  const { decided, rest } = decideUnobserved(times, () => missing);
  return { decided: decided.map(({ from, until, status }) => [from, until, status]), rest };
}

test('the majority of all regions that have reported or may still report decides the status in an unobserved time', () => {
  expect(decide([[1, 0, 9, '-']], []).decided).toEqual([[0, 9, 'down']]);
  expect(decide([[1, 0, 9, '-']], [2]).decided).toEqual([]);
  expect(decide([[1, 0, 9, '-']], [1]).decided).toEqual([[0, 9, 'down']]);
  expect(decide([[1, 0, 9]], [2]).decided).toEqual([[0, 9, 'up']]);
  expect(decide([[1, 0, 9]], [2, 3]).decided).toEqual([]);
  const two = decide(
    [
      [1, 0, 6, '-'],
      [2, 3, 9, '-'],
    ],
    [3],
  );
  expect(two.decided).toEqual([[3, 6, 'down']]);
  expect(two.rest).toEqual([
    { from: 0, until: 3, failed: [1] },
    { from: 6, until: 9, failed: [2] },
  ]);
  expect(decide([], [1]).decided).toEqual([]);
  expect(decide([], []).decided).toEqual([]);
});

test("only a region's first result counts for a time, and neighbouring times with the same results are joined", () => {
  const { rest } = decide(
    [
      [1, 0, 3, '-'],
      [1, 3, 5, '-'],
      [1, 2, 4],
    ],
    [2, 3],
  );
  expect(rest).toEqual([
    { from: 0, until: 5, failed: [1] },
    { from: 5, until: 9 },
  ]);
});
