import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newState } from './lifecycle.ts';
import type { MonitorState, Transition } from './monitor-state.ts';
import { jitterMs, type Observation, observeCheck, silentIntervals } from './verdict.ts';

const intervalMs = 60_000;
const error = { code: 'timeout', message: 'no answer' } as const;
const rules = { intervalMs, observingSince: 0 };

/** A scheduled check of region 1 that took no time. */
const seen = (at: number, more: Partial<Observation> = {}): Observation => ({
  region: 1,
  begun: at,
  at,
  asked: false,
  error: null,
  ...more,
});

/**
 * Plays results given as `region+` or `region-`, a second apart, and returns the status after each. Checks of one
 * region began an interval apart, except asked ones such as `1-?`.
 */
function play(regions: number[], results: string[], rule = rules) {
  let state = newState(0, false, regions, null);
  const statuses: string[] = [];
  results.forEach((word, i) => {
    const region = Number(word[0]);
    const round = results.slice(0, i).filter((before) => before.startsWith(word[0]!) && before[2] !== '?').length;
    const asked = word[2] === '?';
    const result = { region, begun: round * intervalMs, asked, error: word[1] === '-' ? error : null };
    const step = observeCheck(state, seen((i + 1) * 1000, result), rule);
    state = step.state;
    statuses.push(`${state.status}:${state.failures}`);
  });
  return { state, statuses };
}

describe('the verdict on a checked monitor', () => {
  it('follows its only region at once', () => {
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

  it('leaves out a region that was silent for three intervals', () => {
    const silent = newState(0, false, [1, 2], null);
    const soon = observeCheck(silent, seen(intervalMs, { error }), rules);
    expect(soon.state.status).toBe('pending');
    const late = observeCheck(soon.state, seen(silentIntervals * intervalMs + 1, { error }), rules);
    expect(late.state.status).toBe('down');
  });

  it('does not count the time before this process watched against a region', () => {
    const state = newState(0, false, [1, 2], null);
    const at = 100 * intervalMs;
    expect(observeCheck(state, seen(at, { error }), { intervalMs, observingSince: at - 1000 }).transition).toBeNull();
    expect(observeCheck(state, seen(at, { error }), rules).transition?.to).toBe('down');
  });

  it("ignores a result older than its region's latest, one from a foreign region, and any while paused", () => {
    const { state } = play([1], ['1+', '1-']);
    expect(observeCheck(state, seen(1500, { error: null }), rules)).toEqual({ state, transition: null });
    expect(observeCheck(state, seen(9000, { region: 9, error: null }), rules)).toEqual({ state, transition: null });
    const paused = newState(0, true, [1], null);
    expect(observeCheck(paused, seen(1000, { error }), rules)).toEqual({ state: paused, transition: null });
  });

  it('accepts a result that seems an hour old as the latest, because the clock was set back', () => {
    const late = observeCheck(newState(0, false, [1], null), seen(3_600_000, { error: null }), rules).state;
    expect(observeCheck(late, seen(1000, { error }), rules).transition?.to).toBe('down');
  });

  it('agrees with a naive model that recounts the whole past for every result', () => {
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
        // Each transition starts from the last status, and never leads to the same one.
        transitions.reduce((from, step) => {
          expect(step.from).toBe(from);
          expect(step.to).not.toBe(from);
          return step.to;
        }, 'pending' as string);
      }),
      { numRuns: 2000 },
    );
  });

  it('counts a failed round once a majority has failed again, whatever the others do', () => {
    // The third region has stopped.
    expect(play([1, 2, 3], ['1+', '2+', '3+', '1-', '2-', '1-', '2-', '1-', '2-']).statuses.slice(3)).toEqual([
      'up:0',
      'down:1',
      'down:1',
      'down:2',
      'down:2',
      'down:3',
    ]);
    // The third region is late: its result belongs to the round that was decided without it.
    expect(play([1, 2, 3], ['1-', '2-', '3-', '1-', '2-', '3-']).statuses).toEqual([
      'pending:0',
      'down:1',
      'down:1',
      'down:1',
      'down:2',
      'down:2',
    ]);
    // Each round has a different majority.
    expect(play([1, 2, 3], ['1-', '2-', '3-', '1+', '2-', '3-']).statuses.at(-1)).toBe('down:2');
  });

  it('counts n failed rounds within n intervals of an outage and no sooner, while a majority reports', () => {
    const setting = fc.record({
      regions: fc.integer({ min: 1, max: 7 }),
      dead: fc.integer({ min: 0, max: 3 }),
      phases: fc.array(fc.integer({ min: 0, max: intervalMs - 1 }), { minLength: 7, maxLength: 7 }),
      begins: fc.integer({ min: 5 * intervalMs, max: 9 * intervalMs }),
      rounds: fc.integer({ min: 1, max: 8 }),
      // Asked checks, at any time.
      asked: fc.array(fc.record({ region: fc.integer({ min: 1, max: 7 }), at: fc.nat(20 * intervalMs) }), {
        maxLength: 20,
      }),
    });
    fc.assert(
      fc.property(setting, ({ regions: count, dead, phases, begins, rounds, asked }) => {
        const regions = Array.from({ length: count }, (_, at) => at + 1);
        const alive = regions.slice(Math.min(dead, Math.ceil(count / 2) - 1));
        const checks = regions
          .flatMap((region) =>
            Array.from({ length: 20 }, (_, at) => ({
              region,
              at: at * intervalMs + phases[region - 1]! + 1,
              asked: false,
            })),
          )
          .concat(asked.map((one) => ({ ...one, asked: true })).filter(({ region }) => regions.includes(region)))
          // A region that stops reporting does so just before the outage. Its last result still counts for three
          // intervals.
          .filter(({ region, at }) => alive.includes(region) || at < begins)
          .toSorted((one, other) => one.at - other.at);
        let state = newState(0, false, regions, null);
        let reached: number | undefined;
        for (const { region, at, asked } of checks) {
          const before = state.failures;
          state = observeCheck(state, seen(at, { region, asked, error: at < begins ? null : error }), rules).state;
          if (asked) expect(state.failures).toBeLessThanOrEqual(before);
          if (at < begins) expect(state).toMatchObject({ failures: 0 });
          else if (state.failures >= rounds) reached ??= at;
        }
        expect(reached).toBeLessThanOrEqual(begins + rounds * intervalMs);
        // On average, two rounds are at least an interval apart.
        expect(reached).toBeGreaterThan(begins + (rounds - 2) * intervalMs);
        if (count === 1) expect(reached).toBeGreaterThanOrEqual(begins + (rounds - 1) * intervalMs);
      }),
      { numRuns: 5000 },
    );
  });

  it('asked checks move the status but count no round', () => {
    expect(play([1], ['1+', '1-?', '1-?', '1-', '1-?', '1-', '1+?']).statuses).toEqual([
      'up:0',
      'down:0',
      'down:0',
      'down:1',
      'down:1',
      'down:2',
      'up:0',
    ]);
    // A region whose scheduled check failed has reported, even if an asked check made the monitor go down.
    expect(play([1, 2, 3], ['1+', '2+', '3+', '1-', '2-?', '3-']).statuses.slice(3)).toEqual([
      'up:0',
      'down:0',
      'down:1',
    ]);
  });

  it('counts one round for a first check and the next point of the grid', () => {
    let state = newState(0, false, [1], null);
    const failures = [60_000, 61_300, 121_300, 181_250, 241_249].map((begun) => {
      state = observeCheck(state, seen(begun, { error }), rules).state;
      return state.failures;
    });
    expect(failures).toEqual([1, 1, 2, 3, 4]);
    const late = observeCheck(state, seen(301_000, { error }), rules).state;
    expect(late.failures).toBe(4);
    // A pass in between begins a new run, whenever it comes.
    const passed = observeCheck(late, seen(301_500), rules).state;
    expect(observeCheck(passed, seen(302_000, { error }), rules).state.failures).toBe(1);
  });

  it('agrees with a naive model on the rounds of one region, in any order and with any asked checks', () => {
    const check = fc.record({
      gap: fc.constantFrom(1, 1300, intervalMs - jitterMs - 1, intervalMs - jitterMs, intervalMs, 2 * intervalMs),
      takes: fc.constantFrom(0, 500, intervalMs, 2 * intervalMs),
      failed: fc.boolean(),
      asked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(check, { maxLength: 40 }), (checks) => {
        let begun = 0;
        const ends = checks
          .map(({ gap, takes, failed, asked }) => ({ begun: (begun += gap), at: begun + takes, failed, asked }))
          .toSorted((one, other) => one.at - other.at || one.begun - other.begun)
          // No two checks of one region end at the same time.
          .map((one, place) => ({ ...one, at: one.at * 100 + place, begun: one.begun * 100 }));
        let state = newState(0, false, [1], null);
        let [status, rounds, last] = ['pending', 0, -Infinity];
        for (const { begun: from, at, failed, asked } of ends) {
          const found = seen(at, { begun: from, asked, error: failed ? error : null });
          state = observeCheck(state, found, { intervalMs: intervalMs * 100, observingSince: 0 }).state;
          if (!failed) [status, rounds, last] = ['up', 0, -Infinity];
          else {
            status = 'down';
            if (!asked && from >= last + intervalMs * 100 - jitterMs) [rounds, last] = [rounds + 1, from];
          }
          expect([state.status, state.failures]).toEqual([status, rounds]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('each failed round needs a new failed result from a majority', () => {
    const result = fc.record({ region: fc.integer({ min: 1, max: 5 }), failed: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(result, { maxLength: 60 }), (count, results) => {
        const regions = [1, 2, 3, 4, 5].slice(0, count);
        let state = newState(0, false, regions, null);
        let failures = 0;
        results.forEach(({ region, failed }, at) => {
          const before = state;
          const found = { begun: at * intervalMs, region, error: failed ? error : null };
          state = observeCheck(state, seen(at + 1, found), rules).state;
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
    .filter((result) => now - result.at <= silentIntervals * intervalMs);
  const failed = live.filter((result) => result.failed === true).length;
  const passed = live.filter((result) => result.failed === false).length;
  if (failed > live.length / 2) return 'down';
  if (passed > live.length / 2) return 'up';
  return before;
}
