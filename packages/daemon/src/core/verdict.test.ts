import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newState } from './lifecycle.ts';
import type { MonitorState, Transition } from './monitor-state.ts';
import { observeCheck, silentIntervals } from './verdict.ts';

const interval = 60_000;
const error = { code: 'timeout', message: 'no answer' } as const;
const rules = { interval, observingSince: 0 };

/** Plays results given as `region+` or `region-`, a second apart, and tells the status after each. */
function play(regions: number[], results: string[], rule = rules) {
  let state = newState(0, false, regions, null);
  const statuses: string[] = [];
  results.forEach((word, i) => {
    const step = observeCheck(
      state,
      { region: Number(word[0]), at: (i + 1) * 1000, error: word[1] === '-' ? error : null },
      rule,
    );
    state = step.state;
    statuses.push(`${state.status}:${state.failures}`);
  });
  return { state, statuses };
}

describe('the verdict on a checked monitor', () => {
  it('follows its one region at once', () => {
    expect(play([1], ['1+', '1-', '1-', '1+']).statuses).toEqual(['up:0', 'down:1', 'down:2', 'up:0']);
  });

  it('waits for a majority of three regions', () => {
    expect(play([1, 2, 3], ['1-', '2+', '3-', '1-', '2+', '3+']).statuses).toEqual([
      'pending:0',
      'pending:0',
      'down:1',
      'down:1',
      'down:1',
      'up:0',
    ]);
  });

  it('stays as it was on a tie of two regions', () => {
    expect(play([1, 2], ['1+', '2+', '1-', '2-', '1+', '2+']).statuses).toEqual([
      'pending:0',
      'up:0',
      'up:0',
      'down:1',
      'down:1',
      'up:0',
    ]);
  });

  it('leaves a region out of the count that was silent for three intervals', () => {
    const silent = newState(0, false, [1, 2], null);
    const soon = observeCheck(silent, { region: 1, at: interval, error }, rules);
    expect(soon.state.status).toBe('pending');
    const late = observeCheck(soon.state, { region: 1, at: silentIntervals * interval + 1, error }, rules);
    expect(late.state.status).toBe('down');
  });

  it('does not hold the time before this process watched against a region', () => {
    const state = newState(0, false, [1, 2], null);
    const at = 100 * interval;
    expect(
      observeCheck(state, { region: 1, at, error }, { interval, observingSince: at - 1000 }).transition,
    ).toBeNull();
    expect(observeCheck(state, { region: 1, at, error }, rules).transition?.to).toBe('down');
  });

  it('ignores a result older than the latest of its region, one of a foreign region, and any while paused', () => {
    const { state } = play([1], ['1+', '1-']);
    expect(observeCheck(state, { region: 1, at: 1500, error: null }, rules)).toEqual({ state, transition: null });
    expect(observeCheck(state, { region: 9, at: 9000, error: null }, rules)).toEqual({ state, transition: null });
    const paused = newState(0, true, [1], null);
    expect(observeCheck(paused, { region: 1, at: 1000, error }, rules)).toEqual({ state: paused, transition: null });
  });

  it('takes a result for the latest that seems an hour old: the clock was set back', () => {
    const late = observeCheck(newState(0, false, [1], null), { region: 1, at: 3_600_000, error: null }, rules).state;
    expect(observeCheck(late, { region: 1, at: 1000, error }, rules).transition?.to).toBe('down');
  });

  it('agrees with a naive model that recounts the whole past for every result', () => {
    const result = fc.record({
      region: fc.integer({ min: 1, max: 3 }),
      failed: fc.boolean(),
      gap: fc.integer({ min: 1, max: 2 * interval }),
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
          const step = observeCheck(state, { region, at: now, error: failed ? error : null }, rules);
          state = step.state;
          if (step.transition) transitions.push(step.transition);
          if (regions.includes(region)) {
            past.push({ region, at: now, failed });
            expected = naiveStatus(past, regions, now, expected);
          }
          expect(state.status).toBe(expected);
        }
        // Transitions chain, and never go from a status to itself.
        transitions.reduce((from, step) => {
          expect(step.from).toBe(from);
          expect(step.to).not.toBe(from);
          return step.to;
        }, 'pending' as string);
      }),
      { numRuns: 2000 },
    );
  });

  it('counts a failed round once a majority has failed anew, whatever the others do', () => {
    // The third is gone.
    expect(play([1, 2, 3], ['1+', '2+', '3+', '1-', '2-', '1-', '2-', '1-', '2-']).statuses.slice(3)).toEqual([
      'up:0',
      'down:1',
      'down:1',
      'down:2',
      'down:2',
      'down:3',
    ]);
    // The third comes late: what it says belongs to the round that was decided without it.
    expect(play([1, 2, 3], ['1-', '2-', '3-', '1-', '2-', '3-']).statuses).toEqual([
      'pending:0',
      'down:1',
      'down:1',
      'down:1',
      'down:2',
      'down:2',
    ]);
    // The majority is another one each time.
    expect(play([1, 2, 3], ['1-', '2-', '3-', '1+', '2-', '3-']).statuses.at(-1)).toBe('down:2');
  });

  it('counts n failed rounds within n intervals of an outage, and no sooner, as long as a majority reports', () => {
    const setting = fc.record({
      regions: fc.integer({ min: 1, max: 7 }),
      dead: fc.integer({ min: 0, max: 3 }),
      phases: fc.array(fc.integer({ min: 0, max: interval - 1 }), { minLength: 7, maxLength: 7 }),
      begins: fc.integer({ min: 5 * interval, max: 9 * interval }),
      rounds: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(setting, ({ regions: count, dead, phases, begins, rounds }) => {
        const regions = Array.from({ length: count }, (_, at) => at + 1);
        const alive = regions.slice(Math.min(dead, Math.ceil(count / 2) - 1));
        const checks = regions
          .flatMap((region) =>
            Array.from({ length: 20 }, (_, at) => ({ region, at: at * interval + phases[region - 1]! + 1 })),
          )
          // A region that dies does so just before the outage: it still counts for three intervals.
          .filter(({ region, at }) => alive.includes(region) || at < begins)
          .toSorted((one, other) => one.at - other.at);
        let state = newState(0, false, regions, null);
        let reached: number | undefined;
        for (const { region, at } of checks) {
          state = observeCheck(state, { region, at, error: at < begins ? null : error }, rules).state;
          if (at < begins) expect(state).toMatchObject({ failures: 0 });
          else if (state.failures >= rounds) reached ??= at;
        }
        expect(reached).toBeLessThanOrEqual(begins + rounds * interval);
        // What separates two rounds is no less than an interval on the average.
        expect(reached).toBeGreaterThan(begins + (rounds - 2) * interval);
        if (count === 1) expect(reached).toBeGreaterThanOrEqual(begins + (rounds - 1) * interval);
      }),
      { numRuns: 5000 },
    );
  });

  it('counts no more failed rounds than there were failed results of a majority', () => {
    const result = fc.record({ region: fc.integer({ min: 1, max: 5 }), failed: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(result, { maxLength: 60 }), (count, results) => {
        const regions = [1, 2, 3, 4, 5].slice(0, count);
        let state = newState(0, false, regions, null);
        let failures = 0;
        results.forEach(({ region, failed }, at) => {
          const before = state;
          state = observeCheck(state, { region, at: at + 1, error: failed ? error : null }, rules).state;
          if (failed && regions.includes(region)) failures++;
          if (state.status === 'up') expect(state.failures).toBe(0);
          expect(state.failures - before.failures).toBeLessThanOrEqual(1);
          expect(state.failures * (Math.floor(count / 2) + 1)).toBeLessThanOrEqual(failures);
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('counts consecutive failures with one region as the failed results since the last pass', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (results) => {
        const { state } = play(
          [1],
          results.map((passed) => (passed ? '1+' : '1-')),
        );
        expect(state.failures).toBe(results.length - 1 - results.lastIndexOf(true));
        const firstFailure = results.lastIndexOf(true) + 1;
        expect(state.failingSince).toBe(state.failures > 0 ? (firstFailure + 1) * 1000 : null);
      }),
    );
  });
});

/** Counts the latest result of each region from scratch. */
function naiveStatus(
  past: { region: number; at: number; failed: boolean }[],
  regions: number[],
  now: number,
  before: string,
): string {
  const live = regions
    .map((region) => past.findLast((result) => result.region === region) ?? { region, at: 0, failed: null })
    .filter((result) => now - result.at <= silentIntervals * interval);
  const failed = live.filter((result) => result.failed === true).length;
  const passed = live.filter((result) => result.failed === false).length;
  if (failed > live.length / 2) return 'down';
  if (passed > live.length / 2) return 'up';
  return before;
}
