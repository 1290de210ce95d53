import { expect, test } from 'vitest';
import { isAfterSilence, lateTime, type ProbeReport, unobservedSince } from './late-time.ts';
import { newState } from './lifecycle.ts';
import type { MonitorState } from './monitor-state.ts';

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

test('a late result shows that the previous status lasted until that result, but no longer than three intervals', () => {
  expect(lateTime(up(), seen(110_000), intervalMs)).toMatchObject({ status: 'up', until: 110_000 });
  expect(lateTime(up(), seen(900_000), intervalMs)).toMatchObject({ status: 'up', until: 130_000 });
  expect(lateTime(up({ blindSince: 105_000 }), seen(110_000), intervalMs)).toMatchObject({
    until: 105_000,
  });
});

test('between two late results, the status is that of the first result', () => {
  const late = { at: 200_000, failed: true };
  const state = up({ blindSince: 130_000, regions: { 1: { ...view, at: 100_000, late } } });
  expect(lateTime(state, seen(210_000), intervalMs)).toEqual({
    status: 'down',
    from: 200_000,
    until: 210_000,
    isLatest: true,
  });
});

test('between two late results of the same verdict, thinned results make no gap', () => {
  const late = { at: 200_000, failed: true };
  const state = up({ blindSince: 130_000, regions: { 1: { ...view, at: 100_000, late } } });
  const until = (more: Partial<ProbeReport>) => {
    const thinned = { since: 200_000, longestGapMs: 30_000 };
    return lateTime(state, { ...seen(900_000), thinned, ...more }, intervalMs)?.until;
  };
  expect(until({})).toBe(900_000);
  expect(until({ failed: false })).toBe(230_000);
  // The checks stopped for a while, or the server has not got the result before the deleted ones.
  expect(until({ thinned: { since: 200_000, longestGapMs: 30_001 } })).toBe(230_000);
  expect(until({ thinned: { since: 200_001, longestGapMs: 10_000 } })).toBe(230_000);
});

test('a late result is not the latest one if a later result or one of another region was recorded', () => {
  const two = (at: number) => up({ regions: { 1: { ...view, at: 100_000 }, 2: { ...view, at } }, lastCheckedAt: at });
  const own = { status: 'up', from: 100_000, until: 130_000, isLatest: false };
  expect(lateTime(two(180_000), seen(200_000), intervalMs)).toEqual(own);
  expect(lateTime(two(300_000), seen(200_000), intervalMs)).toEqual(own);
  expect(lateTime(two(100_000), seen(200_000), intervalMs)).toEqual({ ...own, isLatest: true });
  const late = { at: 200_000, failed: true };
  const again = up({ regions: { 1: { ...view, at: 100_000, late } } });
  expect(lateTime(again, seen(200_000), intervalMs)).toEqual(own);
});

test('a late result shows no status if no earlier result is known, or if the monitor is paused', () => {
  expect(lateTime(up(), seen(90_000), intervalMs)).toBeNull();
  expect(lateTime(up({ status: 'paused' }), seen(110_000), intervalMs)).toBeNull();
  expect(lateTime(up(), seen(110_000, 9), intervalMs)).toBeNull();
});

test('a result that arrives in time ends a silence if it follows a long gap or late results', () => {
  expect(isAfterSilence(up(), { region: 1, at: 130_000 }, intervalMs)).toBe(false);
  expect(isAfterSilence(up(), { region: 1, at: 130_001 }, intervalMs)).toBe(true);
  const late = { at: 105_000, failed: true };
  const state = up({ regions: { 1: { ...view, at: 100_000, late } } });
  expect(isAfterSilence(state, { region: 1, at: 110_000 }, intervalMs)).toBe(true);
});

test('a monitor counts as not observed once three intervals have passed since the last report of any region', () => {
  const regions = { 1: { ...view, at: 100_000 }, 2: { ...view, at: 120_000 } };
  expect(unobservedSince(up({ regions }), intervalMs, 0)).toBe(150_000);
  expect(unobservedSince(up({ regions }), intervalMs, 140_000)).toBe(170_000);
});
