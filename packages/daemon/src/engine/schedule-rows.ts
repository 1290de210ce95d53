import type { ProjectFilter } from '../core/due-schedule.ts';
import type { Clock } from '../deps.ts';
import type { Store } from '../store/store.ts';

export type ScheduleRows = ReturnType<typeof createScheduleRows>;

/** Creates queries for the rows of a region in the table `schedule`, which daemons share. */
export function createScheduleRows(store: Store, clock: Pick<Clock, 'now'>, region: number) {
  // The time from which a row can be claimed: it is due, and its lease has ended. The index of the table is on this
  // expression.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  return {
    region,
    freeAt,
    /** Selects the rows that are due and unclaimed. */
    dueNow: (of: ProjectFilter | undefined) => {
      const due = store.db.selectFrom('schedule').where('region', '=', region).where(freeAt, '<=', clock.now());
      if (of === undefined) return due;
      if ('project' in of) return due.where('project', '=', of.project);
      return of.except.length === 0 ? due : due.where('project', 'not in', of.except);
    },
  };
}
