import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDueSchedule, type ProjectFilter } from './due-schedule.ts';

const projects = ['a', 'b', 'c'];
const monitor = fc.integer({ min: 1, max: 12 });
const time = fc.integer({ min: 0, max: 30 });
const project = fc.constantFrom(...projects);
const filter: fc.Arbitrary<ProjectFilter | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ project }),
  fc.record({ except: fc.uniqueArray(project) }),
);

type Step =
  | { do: 'set'; monitor: number; project: string; at: number }
  | { do: 'remove'; monitor: number }
  | { do: 'claim'; monitor: number }
  | { do: 'release'; monitor: number; at: number | null }
  | { do: 'delay'; monitor: number; at: number }
  | { do: 'claimDue'; now: number; limit: number; of: ProjectFilter | undefined };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set' as const), monitor, project, at: time }) },
  fc.record({ do: fc.constant('remove' as const), monitor }),
  fc.record({ do: fc.constant('claim' as const), monitor }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), monitor, at: fc.option(time) }) },
  fc.record({ do: fc.constant('delay' as const), monitor, at: time }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('claimDue' as const),
      now: time,
      limit: fc.integer({ min: 0, max: 6 }),
      of: filter,
    }),
  },
);

interface Row {
  project: string;
  at: number;
  claimed: boolean;
}

const matches = (of: ProjectFilter | undefined, name: string) =>
  of === undefined || ('project' in of ? of.project === name : !of.except.includes(name));

it('after any series of calls, the schedule agrees with a plain list of monitors', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), filter, (steps, of) => {
      const schedule = createDueSchedule();
      const rows = new Map<number, Row>();
      for (const one of steps) {
        const row = 'monitor' in one ? rows.get(one.monitor) : undefined;
        if (one.do === 'set') {
          schedule.set({ monitor: one.monitor, project: one.project, generation: 1, nextAt: one.at });
          rows.set(one.monitor, { project: one.project, at: one.at, claimed: false });
        } else if (one.do === 'remove') {
          schedule.remove(one.monitor);
          rows.delete(one.monitor);
        } else if (one.do === 'claim') {
          expect(schedule.claim(one.monitor)).toBe(row !== undefined && !row.claimed);
          if (row) row.claimed = true;
        } else if (one.do === 'release') {
          schedule.release(one.monitor, one.at);
          if (row?.claimed) rows.set(one.monitor, { ...row, at: one.at ?? row.at, claimed: false });
        } else if (one.do === 'delay') {
          schedule.delay(one.monitor, one.at);
          if (row) row.at = Math.max(row.at, one.at);
        } else {
          const due = [...rows].filter(([, r]) => !r.claimed && r.at <= one.now && matches(one.of, r.project));
          const times = due.map(([, { at }]) => at).toSorted((a, b) => a - b);
          const claimed = schedule.claimDue(one);
          expect(claimed.map(({ nextAt }) => nextAt)).toEqual(times.slice(0, one.limit));
          for (const { monitor, nextAt, project } of claimed) {
            expect(rows.get(monitor)).toEqual({ project, at: nextAt, claimed: false });
            rows.get(monitor)!.claimed = true;
          }
        }
      }
      expect(schedule.size()).toBe(rows.size);
      const free = [...rows.values()].filter(({ claimed }) => !claimed);
      const first = Math.min(...free.filter((row) => matches(of, row.project)).map(({ at }) => at));
      expect(schedule.firstAt(of)).toBe(first === Infinity ? null : first);
      for (const name of projects)
        expect(schedule.countDue(name, 15)).toBe(free.filter((row) => row.project === name && row.at <= 15).length);
      for (const [monitor, { project, at, claimed }] of rows)
        expect(schedule.find(monitor)).toEqual({ monitor, project, generation: 1, nextAt: at, claimed });
    }),
    { numRuns: 400 },
  );
});
