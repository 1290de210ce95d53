import { expect, test } from 'vitest';
import { isAfterSilence, lateTime, unobservedSince } from './late-time.ts';
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

test('a late result shows that the previous status lasted until that result, but no longer than three intervals', () => {
  expect(lateTime(up(), { region: 1, at: 110_000 }, intervalMs)).toEqual({ status: 'up', until: 110_000 });
  expect(lateTime(up(), { region: 1, at: 900_000 }, intervalMs)).toEqual({ status: 'up', until: 130_000 });
  expect(lateTime(up({ blindSince: 105_000 }), { region: 1, at: 110_000 }, intervalMs)).toMatchObject({
    until: 105_000,
  });
});

test('between two late results, the status is that of the first result', () => {
  const late = { at: 200_000, failed: true };
  const state = up({ blindSince: 130_000, regions: { 1: { ...view, at: 100_000, late } } });
  expect(lateTime(state, { region: 1, at: 210_000 }, intervalMs)).toEqual({ status: 'down', until: 210_000 });
  expect(lateTime(state, { region: 1, at: 200_000 }, intervalMs)).toBeNull();
});

test('a late result shows no status if another region reported meanwhile, or if the monitor is paused', () => {
  const two = (at: number) => up({ regions: { 1: { ...view, at: 100_000 }, 2: { ...view, at } } });
  expect(lateTime(two(180_000), { region: 1, at: 200_000 }, intervalMs)).toBeNull();
  expect(lateTime(two(100_000), { region: 1, at: 200_000 }, intervalMs)).toEqual({ status: 'up', until: 130_000 });
  expect(lateTime(up({ status: 'paused' }), { region: 1, at: 110_000 }, intervalMs)).toBeNull();
  expect(lateTime(up(), { region: 9, at: 110_000 }, intervalMs)).toBeNull();
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
