import { absentUntil } from '../testing/absent-until.ts';
import { noAbsences } from './absence.ts';
import { expect, test } from 'vitest';
import { isAfterSilence, lateTimes, mayStillReport, type ProbeReport, unobservedSince } from './late-time.ts';
import { newState } from './lifecycle.ts';
import type { MonitorState } from './monitor-state.ts';
import type { TimeSpan } from './unobserved-times.ts';

const intervalMs = 10_000;
const view = { failed: false, round: 'due', began: null } as const;
const up = (more: Partial<MonitorState> = {}): MonitorState => ({
  ...newState(0, false, [1], null),
  status: 'up',
  regions: { 1: { ...view, at: 100_000 } },
  lastCheckedAt: 100_000,
  ...more,
});
const seen = (at: number, region = 1) => ({ region, at, failed: true, thinned: null });

test('a late result shows that the status lasted until that result, but no longer than three intervals', () => {
  const kept = (more: Partial<MonitorState>, at: number) => lateTimes(up(more), seen(at), intervalMs);
  const shown = { region: 1, failed: false, from: 100_000, until: 110_000 };
  expect(kept({}, 110_000)).toEqual({ kept: { from: 100_000, until: 110_000 }, shown });
  expect(kept({}, 900_000)).toMatchObject({ kept: { until: 130_000 } });
  expect(kept({ unobservedSince: 105_000 }, 110_000)).toMatchObject({ kept: { until: 105_000 } });
});

test('between two late results, the earlier result shows the status', () => {
  const late = { at: 120_000, failed: true };
  const state = up({ unobservedSince: 115_000, regions: { 1: { ...view, at: 100_000, late } } });
  expect(lateTimes(state, seen(130_000), intervalMs)).toEqual({
    kept: { from: 100_000, until: 115_000 },
    shown: { region: 1, failed: true, from: 120_000, until: 130_000 },
  });
});

test('before the first late result, the last known status counts for at most three intervals', () => {
  const late = { at: 200_000, failed: true };
  const state = up({ regions: { 1: { ...view, at: 100_000, late } } });
  expect(lateTimes(state, seen(210_000), intervalMs).kept).toEqual({ from: 100_000, until: 130_000 });
});

test('deleted results between two late results with the same verdict leave no gap in the known status', () => {
  const late = { at: 200_000, failed: true };
  const state = up({ unobservedSince: 130_000, regions: { 1: { ...view, at: 100_000, late } } });
  const until = (more: Partial<ProbeReport>) => {
    const thinned = { since: 200_000, longestGapMs: 30_000 };
    return lateTimes(state, { ...seen(900_000), thinned, ...more }, intervalMs).shown?.until;
  };
  expect(until({})).toBe(900_000);
  expect(until({ failed: false })).toBe(230_000);
  // In the first case, the checks stopped for too long. In the second case, the server does not have the result before
  // the deleted results.
  expect(until({ thinned: { since: 200_000, longestGapMs: 30_001 } })).toBe(230_000);
  expect(until({ thinned: { since: 200_001, longestGapMs: 10_000 } })).toBe(230_000);
});

test('if a later result is recorded, or another region reported shortly before, only the previous result of the region shows the status', () => {
  const two = (at: number) => up({ regions: { 1: { ...view, at: 100_000 }, 2: { ...view, at } }, lastCheckedAt: at });
  const own = { kept: null, shown: { region: 1, failed: false, from: 100_000, until: 130_000 } };
  const lateOf = (at: number) => ({ ...view, at: 100_000, late: { at, failed: true } });
  const others = (at: number) => up({ regions: { 1: { ...view, at: 100_000 }, 2: lateOf(at) } });
  expect(lateTimes(others(199_000), seen(200_000), intervalMs)).toMatchObject({ kept: { until: 130_000 } });
  expect(lateTimes(others(201_000), seen(200_000), intervalMs)).toEqual(own);
  expect(lateTimes(two(180_000), seen(200_000), intervalMs)).toEqual(own);
  expect(lateTimes(two(300_000), seen(200_000), intervalMs)).toEqual(own);
  const late = { at: 200_000, failed: true };
  const again = up({ regions: { 1: { ...view, at: 100_000, late } } });
  expect(lateTimes(again, seen(200_000), intervalMs)).toEqual(own);
});

test('a late result shows no status if no earlier result is known, or if the monitor is paused', () => {
  const none = { kept: null, shown: null };
  expect(lateTimes(up(), seen(90_000), intervalMs)).toEqual(none);
  expect(lateTimes(up({ status: 'paused' }), seen(110_000), intervalMs)).toEqual(none);
  expect(lateTimes(up(), seen(110_000, 9), intervalMs)).toEqual(none);
});

test('a region may still report about the last seven days, but not about times before its latest result that arrived in time', () => {
  const regions = { 1: { ...view, at: 100_000 }, 2: { ...view, at: 300_000 }, 3: { ...view, at: null } };
  const missing = (until: number, more: { region?: number; isLate?: boolean; now?: number } = {}) =>
    mayStillReport({ regions }, { from: 0, until }, { region: 9, at: 900_000, isLate: true, now: 900_000, ...more });
  expect(missing(200_000)).toEqual([1]);
  expect(missing(400_000)).toEqual([1, 2]);
  expect(missing(400_000, { region: 1 })).toEqual([1, 2]);
  expect(missing(400_000, { region: 1, isLate: false })).toEqual([2]);
  expect(missing(100_001 + 7 * 24 * 3_600_000)).toEqual([2]);
  expect(missing(200_000, { now: 200_000 + 7 * 24 * 3_600_000 })).toEqual([]);
});

test('a result that arrives in time ends a silence if it follows a long gap, late results or an unobserved time', () => {
  const observed = (unobserved: TimeSpan[] = []) => ({ ...up(), unobserved });
  expect(isAfterSilence(observed([{ from: 50_000, until: 100_000 }]), { region: 1, at: 110_000 }, intervalMs)).toBe(
    false,
  );
  expect(isAfterSilence(observed([{ from: 50_000, until: 105_000 }]), { region: 1, at: 110_000 }, intervalMs)).toBe(
    true,
  );
  expect(isAfterSilence(observed(), { region: 1, at: 130_000 }, intervalMs)).toBe(false);
  expect(isAfterSilence(observed(), { region: 1, at: 130_001 }, intervalMs)).toBe(true);
  const late = { at: 105_000, failed: true };
  const state = up({ regions: { 1: { ...view, at: 100_000, late } } });
  expect(isAfterSilence({ ...state, unobserved: [] }, { region: 1, at: 110_000 }, intervalMs)).toBe(true);
});

test('a monitor counts as not observed when three intervals have passed since the last report of any region', () => {
  const regions = { 1: { ...view, at: 100_000 }, 2: { ...view, at: 120_000 } };
  expect(unobservedSince(up({ regions }), intervalMs, noAbsences)).toBe(150_000);
  // The absence begins 5 s after the last report. After its end, probes get 15 s to connect again, which do not count.
  // Then the remaining 25 s of the three intervals pass.
  const absences = absentUntil(140_000, 125_000);
  expect(unobservedSince(up({ regions }), intervalMs, absences)).toBe(180_000);
});
