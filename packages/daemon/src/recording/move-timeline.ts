import { type RawBuilder, sql, type Transaction } from 'kysely';
import { shiftAbsences } from '../core/absence.ts';
import { shiftViews } from '../core/lifecycle.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import type { SteadyClock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { parseAbsences } from '../store/noted-absences.ts';
import { rollUpAll } from './roll-up-all.ts';
import { stepUnobservedTimes } from './unobserved-times.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';

/** Another daemon counts as running if its last sign of life is less than this long ago. */
const aliveMs = 10_000;

export interface TimelineStep {
  instance: { name: string; region: number };
  /** The time of the clock before the step. */
  from: number;
  /** Milliseconds by which the clock steps; negative for a step back. */
  byMs: number;
}

/**
 * Steps the daemon's clock by `byMs`. Adds `byMs` to each stored time that decides how long something waits. So each
 * wait keeps its length. The time that a step forward skips counts in no uptime, unless late results of probes cover
 * it. The clock steps during the transaction. Otherwise another transaction could store a time of the old clock after
 * the stored times have moved. If `clock` is null, the caller has stepped the clock already.
 *
 * While another daemon runs, only this daemon's row in `presence` moves. All other times stay, because the other daemon
 * compares them with its own clock.
 */
export async function moveTimeline(
  store: Store,
  step: TimelineStep,
  clock: Pick<SteadyClock, 'step'> | null,
): Promise<void> {
  const { instance, from } = step;
  if (!(await othersWatch(store.db, instance.name, [from, from + step.byMs])))
    await rollUpAll(store, { from, to: from });
  let steppedMs = 0;
  const stepClock = (byMs: number) => {
    steppedMs += byMs;
    clock?.step(byMs);
  };
  try {
    await store.write(
      async (trx) => {
        // After a conflict with another daemon, this function runs again. Then the first run has already stepped the
        // clock, so that step is undone first.
        if (steppedMs !== 0) stepClock(-steppedMs);
        await moveTimes(store, trx, step);
        stepClock(step.byMs);
      },
      // The commit need not wait for the disk: after a power cut, the next start finds an older sign of life, and moves
      // the times again. Other nodes may change the rows during this transaction (see store/dialect.ts). That does no
      // harm, because each update adds to the value that it finds.
      { durable: false },
    );
  } catch (error) {
    if (steppedMs !== 0) stepClock(-steppedMs);
    throw error;
  }
}

async function moveTimes(
  store: Store,
  trx: Transaction<Tables>,
  { instance, from, byMs }: TimelineStep,
): Promise<void> {
  const to = from + byMs;
  const moved = (column: string) => sql<number>`${sql.ref(column)} + ${sql.lit(byMs)}`;
  await store.dialect.lockAbsences(trx);
  if (!(await othersWatch(trx, instance.name, [from, to]))) {
    for await (const range of monitorRanges(trx)) {
      await moveViews(store, trx, range, byMs);
      // If the machine was suspended, probes may have checked during that time.
      await stepUnobservedTimes(store, trx, range, { from, to });
      await moveMonitors(trx, range, to, moved);
      // On SQLite, the schedule is in memory, and corrects its stored rows when it reads them (memory-schedule.ts).
      if (!store.dialect.exclusive) await moveSchedule(trx, range, moved);
    }
    await moveOutbox(trx, to, moved);
    await trx
      .updateTable('domain_registration')
      .set({ next_at: moved('next_at') })
      .execute();
    await trx
      .updateTable('status_page')
      .set({ domain_check_at: moved('domain_check_at'), domain_pointed_at: moved('domain_pointed_at') })
      .where('domain_check_at', 'is not', null)
      .execute();
    await moveProbes(trx, to, moved);
    await moveAbsences(trx, byMs);
  }
  await trx
    .updateTable('presence')
    .set({
      alive_at: to,
      started_at: moved('started_at'),
    })
    .where('instance', '=', instance.name)
    .execute();
}

type Moved = (column: string) => RawBuilder<number>;

/**
 * Returns a function that computes the new value of a column with the time of a past event. Such a time moves only if
 * it would be in the future, because then it was read from a clock that was ahead.
 */
const pastTime = (to: number, moved: Moved) => (column: string) =>
  sql<number>`case when ${sql.ref(column)} > ${sql.lit(to)} then ${moved(column)} else ${sql.ref(column)} end`;

/**
 * Moves the times of probes and regions. Otherwise the server would refuse the results of probes until its clock has
 * reached the old times again.
 */
async function moveProbes(trx: Transaction<Tables>, to: number, moved: Moved): Promise<void> {
  const past = pastTime(to, moved);
  await trx
    .updateTable('probe')
    .set({
      seen_at: moved('seen_at'),
      failed_at: moved('failed_at'),
      left_at: past('left_at'),
      first_seen_at: past('first_seen_at'),
      applied_at: past('applied_at'),
    })
    .execute();
  // Without this, all regions would count as silent after a step forward, until they report again.
  await trx
    .updateTable('region')
    .set({ seen_at: moved('seen_at'), silent_since: moved('silent_since'), retired_at: moved('retired_at') })
    // The values 0 and 1 have another meaning: see lifecycle/regions.ts.
    .where('seen_at', '>', 1)
    .execute();
}

async function moveAbsences(trx: Transaction<Tables>, byMs: number): Promise<void> {
  const rows = await trx
    .selectFrom('presence')
    .select(['instance', 'absences'])
    .where('absences', '!=', '{}')
    .execute();
  for (const { instance, absences } of rows) {
    const moved = JSON.stringify(shiftAbsences(parseAbsences(absences), byMs));
    await trx.updateTable('presence').set({ absences: moved }).where('instance', '=', instance).execute();
  }
}

async function othersWatch(
  trx: Pick<Transaction<Tables>, 'selectFrom'>,
  own: string,
  times: readonly number[],
): Promise<boolean> {
  const rows = await trx.selectFrom('presence').select('alive_at').where('instance', '!=', own).execute();
  return rows.some(({ alive_at: at }) => times.some((time) => Math.abs(at - time) < aliveMs));
}

async function moveSchedule(trx: Transaction<Tables>, { first, last }: MonitorRange, moved: Moved) {
  const lease = sql<number>`case when lease_until > 0 then ${moved('lease_until')} else 0 end`;
  await trx
    .updateTable('schedule')
    .set({ next_at: moved('next_at'), lease_until: lease })
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .execute();
}

async function moveMonitors(
  trx: Transaction<Tables>,
  { first, last }: MonitorRange,
  to: number,
  moved: Moved,
): Promise<void> {
  const past = pastTime(to, moved);
  await trx
    .updateTable('monitor_state')
    .set({
      rolled_up_until: moved('rolled_up_until'),
      watched_since: moved('watched_since'),
      unobserved_since: moved('unobserved_since'),
      ping_due_at: moved('ping_due_at'),
      silence_review_at: moved('silence_review_at'),
      run_started_at: moved('run_started_at'),
      last_ping_at: past('last_ping_at'),
      last_checked_at: past('last_checked_at'),
    })
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .execute();
}

async function moveOutbox(trx: Transaction<Tables>, to: number, moved: Moved): Promise<void> {
  const waiting = trx.updateTable('delivery').where('status', '=', sql.lit('pending'));
  await waiting.set({ next_at: moved('next_at'), tried_since: moved('tried_since') }).execute();
  await waiting
    .set({ lease_until: moved('lease_until') })
    .where('lease_until', '>', 0)
    .execute();
  // A message is retried some time after its last attempt. If the stored time of that attempt were in the future, the
  // retry would come too late.
  const open = trx.selectFrom('alert').select('seq').where('resolved_at', 'is', null);
  await trx
    .updateTable('delivery')
    .set({ tried_at: moved('tried_at') })
    .where('tried_at', '>', to)
    .where((row) => row.or([row('status', '=', sql.lit('pending')), row('alert', 'in', open)]))
    .execute();
  await trx
    .updateTable('paging_incident')
    .set({ next_at: moved('next_at'), tried_since: moved('tried_since') })
    .execute();
  await trx
    .updateTable('channel')
    .set({ wait_until: moved('wait_until') })
    .where('wait_until', '>', 0)
    .execute();
  await trx
    .updateTable('channel')
    .set({ code_until: moved('code_until') })
    .where('code_until', 'is not', null)
    .execute();
  await trx
    .updateTable('message_budget')
    .set({ full_at: moved('full_at') })
    .execute();
  await trx
    .updateTable('address_codes')
    .set({ latest_at: moved('latest_at'), second_at: moved('second_at'), third_at: moved('third_at') })
    .execute();
  await trx
    .updateTable('alert')
    .set({ remind_at: moved('remind_at') })
    .where('remind_at', 'is not', null)
    .execute();
}

/** Moves the times of the latest results of each region, which are stored as JSON in `regions`. */
async function moveViews(
  store: Store,
  trx: Transaction<Tables>,
  { first, last }: MonitorRange,
  byMs: number,
): Promise<void> {
  const rows = await trx
    .selectFrom('monitor_state')
    .select(['monitor', 'regions'])
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('regions', '!=', '{}')
    .orderBy('monitor')
    .modifyEnd(store.dialect.forUpdate)
    .execute();
  if (rows.length === 0) return;
  const views = rows.map(({ monitor, regions }) => ({
    monitor,
    regions: JSON.stringify(shiftViews(JSON.parse(regions) as MonitorState['regions'], byMs)),
  }));
  const given = store.dialect.rows('given', { monitor: 'long', regions: 'text' }, views);
  await trx
    .updateTable('monitor_state')
    .from(given)
    .set((set) => ({ regions: set.ref('given.regions') }))
    .whereRef('monitor_state.monitor', '=', 'given.monitor')
    .execute();
}
