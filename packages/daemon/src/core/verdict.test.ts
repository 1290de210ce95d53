import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newState } from './lifecycle.ts';
import type { MonitorState, Transition } from './monitor-state.ts';
import { observeCheck, silentIntervals } from './verdict.ts';
import { intervalMs, error, rules, seen, play } from '../testing/play-results.ts';
import { absentUntil } from '../testing/absent-until.ts';
import type { Absence } from './absence.ts';

const mapAt = (regions: MonitorState['regions'], at: number): MonitorState['regions'] =>
  Object.fromEntries(Object.entries(regions).map(([region, view]) => [region, { ...view, at }]));

describe('the verdict on a checked monitor', () => {
  it('the status follows the result of a single region at once', () => {
    expect(play([1], ['1+', '1-', '1-', '1+']).statuses).toEqual(['up:0', 'down:1', 'down:2', 'up:0']);
  });

  it('the status waits for a majority of three regions', () => {
    expect(play([1, 2, 3], ['1-', '2+', '3-', '1-', '2+', '3+']).statuses).toEqual([
      'pending:0',
      'pending:0',
      'down:1',
      'down:1',
      'down:1',
      'up:0',
    ]);
  });

  it('the status does not change while two regions disagree', () => {
    expect(play([1, 2], ['1+', '2+', '1-', '2-', '1+', '2+']).statuses).toEqual([
      'pending:0',
      'up:0',
      'up:0',
      'down:1',
      'down:1',
      'up:0',
    ]);
  });

  it('the verdict leaves out a region that was silent for three intervals', () => {
    const silent = newState(0, false, [1, 2], null);
    const soon = observeCheck(silent, seen(intervalMs, { error }), rules);
    expect(soon.state.status).toBe('pending');
    const late = observeCheck(soon.state, seen(silentIntervals * intervalMs + 1, { error }), rules);
    expect(late.state.status).toBe('down');
  });

  it('the verdict ignores the silence of a region before this process began to receive results', () => {
    const state = newState(0, false, [1, 2], null);
    const at = 100 * intervalMs;
    expect(
      observeCheck(state, seen(at, { error }), { intervalMs, absences: absentUntil(at - 1000) }).transition,
    ).toBeNull();
    expect(observeCheck(state, seen(at, { error }), rules).transition?.to).toBe('down');
  });

  it('if a region was silent before an absence, the verdict leaves the region out until it reports again', () => {
    const at = 100 * intervalMs;
    const rule = { intervalMs, absences: absentUntil(at - 1000, at - 10 * intervalMs) };
    const { state } = play([1, 2, 3], ['1-', '2+', '3+', '1-']);
    expect(state.status).toBe('up');
    const failed = observeCheck(state, seen(at, { error }), rule);
    expect(failed.transition?.to).toBe('down');
    const again = observeCheck(failed.state, seen(at + 1, { region: 2, error: null }), rule);
    expect(again.transition).toBeNull();
    expect(observeCheck(again.state, seen(at + 2, { region: 3, error: null }), rule).transition?.to).toBe('up');
  });

  it('the verdict counts a region if the daemons of that region were absent while it was silent, but not if other daemons were absent', () => {
    const at = 100 * intervalMs;
    const { state } = play([1, 2], ['1+', '2+']);
    const fresh = { ...state, regions: mapAt(state.regions, at - 5 * intervalMs) };
    const absent = [{ from: at - 5 * intervalMs, to: at - 1000 }];
    const changeWith = (daemonRegion: number) => {
      const absences = { receiving: [], checking: absent, daemonRegions: new Set([daemonRegion]) };
      return observeCheck(fresh, seen(at, { error }), { intervalMs, absences }).transition?.to;
    };
    expect(changeWith(2)).toBeUndefined();
    expect(changeWith(1)).toBe('down');
  });

  it('if the status changed during an absence without a region, the verdict ignores reports of that region from before the absence', () => {
    const at = 100 * intervalMs;
    const { state } = play([1, 2, 3], ['1+', '2+', '3+']);
    const regions = mapAt(state.regions, at - 10 * intervalMs);
    const down = { ...state, status: 'down' as const, regions, since: at - 5 * intervalMs };
    const receiving = [{ from: at - 9 * intervalMs, to: at - 20_000 }];
    const changeWith = (since: number, checking: Absence[] = []) => {
      const absences = { receiving, checking, daemonRegions: new Set([1]) };
      return observeCheck({ ...down, since }, seen(at, { error }), { intervalMs, absences }).transition?.to;
    };
    // In these three calls, the status changed during the absence, 14 s after its end, and 16 s after its end.
    expect(changeWith(at - 5 * intervalMs)).toBeUndefined();
    expect(changeWith(at - 6000)).toBeUndefined();
    expect(changeWith(at - 4000)).toBe('up');
    // A short absence in checking, shortly before the change, makes no difference.
    expect(changeWith(at - 6000, [{ from: at - 12_000, to: at - 8000 }])).toBeUndefined();
    // The region was not yet silent at the time of the change.
    expect(changeWith(at - 8 * intervalMs)).toBe('up');
    // If all nodes were absent, no node could leave a region out.
    expect(changeWith(at - 6000, receiving)).toBe('up');
  });

  it('the verdict ignores outdated results, results of unassigned regions, and all results while the monitor is paused', () => {
    const { state } = play([1], ['1+', '1-']);
    expect(observeCheck(state, seen(1500, { error: null }), rules)).toEqual({ state, transition: null });
    expect(observeCheck(state, seen(9000, { region: 9, error: null }), rules)).toEqual({ state, transition: null });
    const paused = newState(0, true, [1], null);
    expect(observeCheck(paused, seen(1000, { error }), rules)).toEqual({ state: paused, transition: null });
  });

  it('the verdict accepts a result with an earlier time as the latest if the clock was set back by an hour', () => {
    const late = observeCheck(newState(0, false, [1], null), seen(3_600_000, { error: null }), rules).state;
    expect(observeCheck(late, seen(1000, { error }), rules).transition?.to).toBe('down');
  });

  it('the verdict agrees with a simple model that recounts all results after each result', () => {
    const result = fc.record({
      region: fc.integer({ min: 1, max: 3 }),
      failed: fc.boolean(),
      gap: fc.integer({ min: 1, max: 2 * intervalMs }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.array(result, { maxLength: 40 }), (count, results) => {
        const regions = [1, 2, 3].slice(0, count);
        let state: MonitorState = newState(0, false, regions, null);
        const transitions: Transition[] = [];
        const past: { region: number; at: number; failed: boolean }[] = [];
        let expected = 'pending';
        let now = 0;
        for (const { region, failed, gap } of results) {
          now += gap;
          const step = observeCheck(state, seen(now, { region, error: failed ? error : null }), rules);
          state = step.state;
          if (step.transition) transitions.push(step.transition);
          if (regions.includes(region)) {
            past.push({ region, at: now, failed });
            expected = naiveStatus(past, regions, now, expected);
          }
          expect(state.status).toBe(expected);
        }
        // Each transition starts from the last status, and never leads to that same status.
        transitions.reduce((from, step) => {
          expect(step.from).toBe(from);
          expect(step.to).not.toBe(from);
          return step.to;
        }, 'pending' as string);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Computes the status from the latest result of each region. Keeps no state from one result to the next. */
function naiveStatus(
  past: { region: number; at: number; failed: boolean }[],
  regions: number[],
  now: number,
  before: string,
): string {
  const live = regions
    .map((region) => past.findLast((result) => result.region === region) ?? { region, at: 0, failed: null })
    .filter((result) => now - result.at <= silentIntervals * intervalMs);
  const failed = live.filter((result) => result.failed === true).length;
  const passed = live.filter((result) => result.failed === false).length;
  if (failed > live.length / 2) return 'down';
  if (passed > live.length / 2) return 'up';
  return before;
}
