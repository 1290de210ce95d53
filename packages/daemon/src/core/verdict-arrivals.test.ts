import { expect, test } from 'vitest';
import { error, seen } from '../testing/play-results.ts';
import { newState } from './lifecycle.ts';
import type { MonitorState, RegionView } from './monitor-state.ts';
import { observeCheck } from './verdict.ts';
import { noAbsences } from './absence.ts';

const rules = { intervalMs: 60_000, absences: noAbsences };
const view = (at: number, failed = false): RegionView => ({ at, failed, round: 'due', began: failed ? at : null });
const minutes = (n: number) => n * 60_000;
const state = (more: Partial<MonitorState>): MonitorState => ({
  ...newState(0, false, [1, 2, 3], null),
  status: 'up',
  lastCheckedAt: minutes(10),
  ...more,
});

test('a region that is silent when a result arrives is left out of the majority, however old the result is', () => {
  const before = state({ regions: { 1: view(minutes(9)), 2: view(minutes(8)), 3: view(minutes(1)) } });
  const failed = { region: 1, error, at: minutes(10.5), begunAt: minutes(10.5) };
  const first = observeCheck(before, { ...seen(0), ...failed, arrivedAt: minutes(12.5) }, rules);
  expect(first.transition).toMatchObject({ to: 'down', at: minutes(10.5) });
});

test('if an older result changes the status, the change is not earlier than the previous change', () => {
  const regions = { 1: view(minutes(9)), 2: view(minutes(10)), 3: view(minutes(10), true) };
  const before = state({ status: 'up', since: minutes(10), regions });
  const older = { region: 1, error, at: minutes(9.5), begunAt: minutes(9.5) };
  const step = observeCheck(before, { ...seen(0), ...older, arrivedAt: minutes(11) }, rules);
  expect(step.transition).toMatchObject({ to: 'down', at: minutes(10) });
  expect(step.state.lastCheckedAt).toBe(minutes(10));
});

test("a probe's result changes nothing if a later result of its region has already arrived", () => {
  const before = state({ regions: { 1: view(minutes(10)), 2: view(minutes(10)), 3: view(minutes(10)) } });
  const older = { ...seen(minutes(8)), region: 1, error, arrivedAt: minutes(10) };
  expect(observeCheck(before, older, rules)).toEqual({ state: before, transition: null });
});
