import { sql, type Transaction } from 'kysely';
import { createDueSchedule, type DueSchedule } from '../core/due-schedule.ts';
import { firstCheckAt } from '../core/schedule.ts';
import type { SteadyClock } from '../deps.ts';
import { prepare, prepareForNumbers } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { nextTurn } from '../wait.ts';

/**
 * Number of rows that one statement reads or deletes. It is small, so that the event loop is blocked for only a few
 * milliseconds.
 */
const maxRowsAtOnce = 500;
/**
 * Up to this many changes stay in the table `schedule_change` after they were read. So most edits do not cause a second
 * write that deletes the change.
 */
const maxKeptChanges = 1000;

interface StoredRow {
  monitor: number;
  project: string;
  generation: number;
  /** When the monitor was last scheduled: at its creation, a resume or an edit. */
  next_at: number;
  intervalSeconds: number;
  /** 1 if the region has no result of the monitor since its creation, its resume, or the latest edit of its target. */
  pending: number;
}

/**
 * Reads a region's schedule from a SQLite database into memory. Each monitor is due at the next point of its grid, so
 * that the checks are spread. A monitor whose first check is pending is due at once. `update` applies later changes.
 * It reads them from the table `schedule_change`. Triggers in the database record every change of the table `schedule`
 * there, even if another process makes the change.
 */
export async function loadMemorySchedule(
  store: Store,
  clock: SteadyClock,
  region: number,
): Promise<{ schedule: DueSchedule; update: () => Promise<void> }> {
  const schedule = createDueSchedule();
  const { changesAfter, rowsOf } = prepareQueries(store, region);
  const forgetTo = async (seq: number) => {
    for (let deleted = maxRowsAtOnce; deleted === maxRowsAtOnce; await nextTurn())
      deleted = await store.write((trx) => deleteChanges(trx, seq), { durable: false });
  };

  const latest = await store.db.selectFrom('schedule_change').select('seq').orderBy('seq', 'desc').limit(1).execute();
  let readTo = latest[0]?.seq ?? 0;
  await fillSchedule(schedule, store, clock, region);
  await forgetTo(readTo);

  let forgotTo = readTo;
  const readChanges = async () => {
    for (;;) {
      const changes = await changesAfter(store.db, { seq: readTo });
      const last = changes.at(-1);
      if (last === undefined) return;
      // Skips changes in other regions, because probes check from there.
      const own = changes.filter((change) => change.region === region);
      const monitors = [...new Set(own.map(({ monitor }) => monitor))];
      const rows = await rowsOf(store.db, monitors);
      const kept = new Set(rows.map(({ monitor }) => monitor));
      for (const monitor of monitors) if (!kept.has(monitor)) schedule.remove(monitor);
      for (const { monitor, project, generation, next_at: nextAt } of rows)
        // The clock may have stepped since the row was written.
        schedule.set({ monitor, project, generation, nextAt: clock.renew(nextAt) - clock.steppedMs() });
      readTo = last.seq;
      if (readTo - forgotTo > maxKeptChanges) {
        await forgetTo(readTo);
        forgotTo = readTo;
      }
      if (changes.length < maxRowsAtOnce) return;
      await nextTurn();
    }
  };
  // Updates run one at a time. If two updates ran together, both could apply the same change. If a claim was made in
  // between, the second update would end that claim.
  let updating: Promise<void> = Promise.resolve();
  const update = () => (updating = updating.then(readChanges, readChanges));
  return { schedule, update };
}

/** Adds every monitor of the region to an empty schedule. */
async function fillSchedule(schedule: DueSchedule, store: Store, clock: SteadyClock, region: number): Promise<void> {
  for (let after = 0; ;) {
    const rows = await readRows(store, { region, after });
    for (const { monitor, project, generation, next_at: since, intervalSeconds, pending } of rows) {
      const nextAt = firstCheckAt(
        { monitor, region, since, pending: pending === 1 },
        intervalSeconds * 1000,
        clock.now(),
      );
      schedule.set({ monitor, project, generation, nextAt: nextAt - clock.steppedMs() });
    }
    const last = rows.at(-1)?.monitor;
    if (last === undefined) break;
    after = last;
    await nextTurn();
  }
}

function prepareQueries(store: Store, region: number) {
  const changesAfter = prepare(store, (db, p: { seq: number }) =>
    db
      .selectFrom('schedule_change')
      .select(['seq', 'monitor', 'region'])
      .where('seq', '>', p.seq)
      .orderBy('seq')
      .limit(sql.lit(maxRowsAtOnce)),
  );
  const rowsOf = prepareForNumbers<Pick<StoredRow, 'monitor' | 'project' | 'generation' | 'next_at'>>(
    store,
    (db, isGiven) =>
      db
        .selectFrom('schedule')
        .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
        .select(['schedule.monitor', 'schedule.project', 'monitor.generation', 'schedule.next_at'])
        .where('schedule.region', '=', sql.lit(region))
        .where(isGiven('schedule.monitor')),
  );
  return { changesAfter, rowsOf };
}

async function deleteChanges(trx: Transaction<Tables>, upTo: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('schedule_change')
    .where('seq', 'in', (where) =>
      where.selectFrom('schedule_change').select('seq').where('seq', '<=', upTo).orderBy('seq').limit(maxRowsAtOnce),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function readRows(store: Store, { region, after }: { region: number; after: number }): Promise<StoredRow[]> {
  const seenAt = `$."${region}".at`;
  // The plus sign keeps SQLite from using the index on the region. With that index, it would sort all rows of the
  // region again for each batch.
  const { rows } = await sql<StoredRow>`
    select schedule.monitor, schedule.project, monitor.generation, schedule.next_at,
      monitor.config ->> '$.interval' as "intervalSeconds", (monitor_state.regions ->> ${seenAt}) is null as pending
    from schedule join monitor on monitor.seq = schedule.monitor
      join monitor_state on monitor_state.monitor = schedule.monitor
    where +schedule.region = ${region} and schedule.monitor > ${after}
    order by schedule.monitor limit ${maxRowsAtOnce}`.execute(store.db);
  return rows;
}
