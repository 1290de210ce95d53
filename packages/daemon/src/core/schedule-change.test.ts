import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followingCheckAt, phaseOf } from './schedule.ts';
import { mergeChanges, type ScheduleChange, scheduleAfter, type ScheduledEnd } from './schedule-change.ts';

const check: ScheduledEnd = {
  monitor: 7,
  region: 2,
  begunAt: 1_000_000,
  at: 1_000_200,
  intervalMs: 10_000,
  verdict: 'up',
  requested: false,
  later: 'none',
  unobservedForMs: 0,
};
const following = (failed: boolean) =>
  followingCheckAt({ begunAt: check.begunAt, at: check.at, failed }, check.intervalMs, phaseOf(7, 2, check.intervalMs));

describe('a finished check', () => {
  it.each<[string, Partial<ScheduledEnd>, Partial<ScheduleChange> | null]>([
    [
      'a passed check sets the next check to the next point of the grid',
      {},
      { nextAt: following(false), release: true },
    ],
    [
      'a failed check sets the next check to an interval after its own start',
      { verdict: 'down' },
      { nextAt: 1_010_000, release: true },
    ],
    [
      'a check leaves the claim of the monitor to a later check that runs',
      { later: 'running' },
      { nextAt: following(false), release: false },
    ],
    ['a check changes nothing if a later check already has a verdict', { later: 'over' }, null],
    [
      'a requested check that holds the claim only ends the claim',
      { requested: true },
      { nextAt: null, release: true },
    ],
    ['a requested check that does not hold the claim changes nothing', { requested: true, later: 'running' }, null],
    [
      'a check with a checker fault is retried a second after its start',
      { verdict: 'internal' },
      { nextAt: 1_001_000, release: true },
    ],
    [
      'a check with a checker fault that took longer than a second is retried at once',
      { verdict: 'internal', at: 1_004_000 },
      { nextAt: 1_004_000 },
    ],
    [
      'a check with a checker fault that has lasted for 5 s is retried 5 s after its start',
      { verdict: 'internal', unobservedForMs: 5000 },
      { nextAt: 1_005_000 },
    ],
    [
      'a check with a checker fault changes nothing while a later check runs',
      { verdict: 'internal', later: 'running' },
      null,
    ],
  ])('%s', (_, more, expected) => {
    const change = scheduleAfter({ ...check, ...more });
    if (expected === null) expect(change).toBeNull();
    else expect(change).toMatchObject({ monitor: 7, region: 2, ...expected });
  });
});

describe('merged changes', () => {
  interface Row {
    nextAt: number;
    held: boolean;
  }
  const applyOne = (row: Row, { nextAt, release }: ScheduleChange): Row => {
    if (release) return { nextAt: nextAt ?? row.nextAt, held: false };
    return { ...row, nextAt: Math.max(row.nextAt, nextAt ?? 0) };
  };

  it('merged changes have the same effect as the single changes, applied in order', () => {
    const changes = fc.array(
      fc.record({
        monitor: fc.integer({ min: 1, max: 3 }),
        region: fc.integer({ min: 1, max: 2 }),
        nextAt: fc.option(fc.integer({ min: 1, max: 20 })),
        release: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 20 }), (all, before) => {
        const rows = new Map<string, Row>();
        const keyOf = (one: { monitor: number; region: number }) => `${one.monitor} ${one.region}`;
        for (const change of all)
          rows.set(keyOf(change), applyOne(rows.get(keyOf(change)) ?? { nextAt: before, held: true }, change));
        const merged = mergeChanges(all);
        expect(new Set(merged.map(keyOf)).size).toBe(merged.length);
        for (const one of merged) {
          const nextAt = Math.max(one.nextAt ?? before, one.notBefore);
          expect({ nextAt, held: !one.release }).toEqual(rows.get(keyOf(one)));
        }
        expect(merged.length).toBe(rows.size);
      }),
    );
  });
});
