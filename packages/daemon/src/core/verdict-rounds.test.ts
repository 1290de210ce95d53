import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newState } from './lifecycle.ts';
import { jitterMs, observeCheck } from './verdict.ts';
import { intervalMs, error, rules, seen, play } from '../testing/play-results.ts';
import { noAbsences } from './absence.ts';

describe('the verdict on a checked monitor', () => {
  it('`observeCheck` counts a failed round as soon as a majority of regions has failed again, whatever the other regions do', () => {
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

  it('`observeCheck` counts n failed rounds of an outage in about n intervals while a majority of regions reports', () => {
    const setting = fc.record({
      regions: fc.integer({ min: 1, max: 7 }),
      dead: fc.integer({ min: 0, max: 3 }),
      phases: fc.array(fc.integer({ min: 0, max: intervalMs - 1 }), { minLength: 7, maxLength: 7 }),
      begins: fc.integer({ min: 5 * intervalMs, max: 9 * intervalMs }),
      rounds: fc.integer({ min: 1, max: 8 }),
      // Checks that users request, at any time.
      requested: fc.array(fc.record({ region: fc.integer({ min: 1, max: 7 }), at: fc.nat(20 * intervalMs) }), {
        maxLength: 20,
      }),
    });
    fc.assert(
      fc.property(setting, ({ regions: count, dead, phases, begins, rounds, requested }) => {
        const regions = Array.from({ length: count }, (_, at) => at + 1);
        const alive = regions.slice(Math.min(dead, Math.ceil(count / 2) - 1));
        const checks = regions
          .flatMap((region) =>
            Array.from({ length: 20 }, (_, at) => ({
              region,
              at: at * intervalMs + phases[region - 1]! + 1,
              requested: false,
            })),
          )
          .concat(
            requested.map((one) => ({ ...one, requested: true })).filter(({ region }) => regions.includes(region)),
          )
          // Regions that are not alive stop reporting just before the outage. The last passed result of such a region
          // counts for three more intervals.
          .filter(({ region, at }) => alive.includes(region) || at < begins)
          .toSorted((one, other) => one.at - other.at);
        let state = newState(0, false, regions, null);
        let reached: number | undefined;
        for (const { region, at, requested } of checks) {
          const before = state.failures;
          state = observeCheck(state, seen(at, { region, requested, error: at < begins ? null : error }), rules).state;
          if (requested) expect(state.failures).toBeLessThanOrEqual(before);
          if (at < begins) expect(state).toMatchObject({ failures: 0 });
          else if (state.failures >= rounds) reached ??= at;
        }
        expect(reached).toBeLessThanOrEqual(begins + rounds * intervalMs);
        // The regions check at different times of an interval, so two rounds may end less than an interval apart. But n
        // rounds take more than n - 2 intervals.
        expect(reached).toBeGreaterThan(begins + (rounds - 2) * intervalMs);
        if (count === 1) expect(reached).toBeGreaterThanOrEqual(begins + (rounds - 1) * intervalMs);
      }),
      { numRuns: 5000 },
    );
  });

  it('`observeCheck` follows requested checks, but does not count them as rounds', () => {
    expect(play([1], ['1+', '1-?', '1-?', '1-', '1-?', '1-', '1+?']).statuses).toEqual([
      'up:0',
      'down:0',
      'down:0',
      'down:1',
      'down:1',
      'down:2',
      'up:0',
    ]);
    // If a scheduled check of a region failed, the region counts as having reported. This holds even if a requested
    // check made the monitor go down.
    expect(play([1, 2, 3], ['1+', '2+', '3+', '1-', '2-?', '3-']).statuses.slice(3)).toEqual([
      'up:0',
      'down:0',
      'down:1',
    ]);
  });

  it('`observeCheck` counts two checks as one round if the second begins much less than an interval after the first', () => {
    let state = newState(0, false, [1], null);
    const failures = [60_000, 61_300, 121_300, 181_250, 241_249].map((begunAt) => {
      state = observeCheck(state, seen(begunAt, { error }), rules).state;
      return state.failures;
    });
    expect(failures).toEqual([1, 1, 2, 3, 4]);
    const late = observeCheck(state, seen(301_000, { error }), rules).state;
    expect(late.failures).toBe(4);
    // After a passed check the count restarts, even if less than an interval has passed since the last failed round.
    const passed = observeCheck(late, seen(301_500), rules).state;
    expect(observeCheck(passed, seen(302_000, { error }), rules).state.failures).toBe(1);
  });

  it('`observeCheck` agrees with a simple model on the rounds of one region, in whatever order its checks end', () => {
    const check = fc.record({
      gap: fc.constantFrom(1, 1300, intervalMs - jitterMs - 1, intervalMs - jitterMs, intervalMs, 2 * intervalMs),
      takes: fc.constantFrom(0, 500, intervalMs, 2 * intervalMs),
      failed: fc.boolean(),
      requested: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(check, { maxLength: 40 }), (checks) => {
        let begunAt = 0;
        const ends = checks
          .map(({ gap, takes, failed, requested }) => ({
            begunAt: (begunAt += gap),
            at: begunAt + takes,
            failed,
            requested,
          }))
          .toSorted((one, other) => one.at - other.at || one.begunAt - other.begunAt)
          // Makes all times differ, so that no two checks of one region end at the same time.
          .map((one, place) => ({ ...one, at: one.at * 100 + place, begunAt: one.begunAt * 100 }));
        let state = newState(0, false, [1], null);
        let [status, rounds, last] = ['pending', 0, -Infinity];
        for (const { begunAt: from, at, failed, requested } of ends) {
          const found = seen(at, { begunAt: from, requested, error: failed ? error : null });
          state = observeCheck(state, found, { intervalMs: intervalMs * 100, absences: noAbsences }).state;
          if (!failed) [status, rounds, last] = ['up', 0, -Infinity];
          else {
            status = 'down';
            if (!requested && from >= last + intervalMs * 100 - jitterMs) [rounds, last] = [rounds + 1, from];
          }
          expect([state.status, state.failures]).toEqual([status, rounds]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('`observeCheck` counts each failed round only after new failed results from a majority of regions', () => {
    const result = fc.record({ region: fc.integer({ min: 1, max: 5 }), failed: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(result, { maxLength: 60 }), (count, results) => {
        const regions = [1, 2, 3, 4, 5].slice(0, count);
        let state = newState(0, false, regions, null);
        let failures = 0;
        results.forEach(({ region, failed }, at) => {
          const before = state;
          const found = { begunAt: at * intervalMs, region, error: failed ? error : null };
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

  it('`observeCheck` counts the failed results since the last passed check if there is one region', () => {
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
