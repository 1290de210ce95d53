import type { ProjectFilter } from '../core/due-schedule.ts';
import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';

export type ScheduleRows = ReturnType<typeof createScheduleRows>;

/** The rows of a region in the table of the schedule, which daemons share. */
export function createScheduleRows(store: Store, clock: Pick<Clock, 'now'>, region: number) {
  // The schedule's index is on this expression: the time at which a row is due and unclaimed.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  return {
    region,
    freeAt,
    /** Rows that are due and unclaimed. */
    dueNow: (of: ProjectFilter | undefined) => {
      const due = store.db.selectFrom('schedule').where('region', '=', region).where(freeAt, '<=', clock.now());
      if (of === undefined) return due;
      if ('project' in of) return due.where('project', '=', of.project);
      return of.except.length === 0 ? due : due.where('project', 'not in', of.except);
    },
  };
}
