import { type RawBuilder, sql, type Transaction } from 'kysely';
import { shiftViews } from '../core/lifecycle.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import type { SteadyClock } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { closeBooks } from './close-books.ts';

const chunk = 500;
/** Another daemon has left a sign of life within so many milliseconds: it watches too. */
const justNow = 10_000;

export interface TimelineStep {
  instance: { name: string; region: number };
  /** The latest instant on the timeline as it was, in epoch milliseconds. */
  from: number;
  /** Milliseconds by which the timeline moves, forward or back. */
  byMs: number;
}

/**
 * Moves the timeline, with everything stored that means "so long from now": no wait gets longer or shorter, and what is
 * between the old time and the new counts in no uptime. The clock steps in the same transaction, so that no time is
 * written by one timeline and read by the other; without a clock, it is there already.
 *
 * What another daemon also writes, by a clock of its own, is left alone while one does.
 */
export async function moveTimeline(
  store: Store,
  step: TimelineStep,
  clock: Pick<SteadyClock, 'step'> | null,
): Promise<void> {
  await closeBooks(store, step.from, step.from);
  let stepped = 0;
  const stepClock = (byMs: number) => {
    stepped += byMs;
    clock?.step(byMs);
  };
  try {
    await store.write(
      async (trx) => {
        // It is run again where another daemon was in the way.
        if (stepped !== 0) stepClock(-stepped);
        await moveTimes(store, trx, step);
        stepClock(step.byMs);
      },
      // Not durable: each row is changed as it is by then, whoever else writes to it. After a power cut the next start
      // finds an older sign of life, and does the same.
      { durable: false },
    );
  } catch (error) {
    if (stepped !== 0) stepClock(-stepped);
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
  const alone = !(await othersWatch(trx, instance.name, [from, to]));
  await moveViews(store, trx, byMs, alone ? null : instance.region);
  if (alone) {
    await moveMonitors(trx, to, moved);
    await moveOutbox(trx, moved);
    await trx
      .updateTable('domain_registration')
      .set({ next_at: moved('next_at') })
      .execute();
    await trx
      .updateTable('status_page')
      .set({ domain_check_at: moved('domain_check_at'), domain_pointed_at: moved('domain_pointed_at') })
      .where('domain_check_at', 'is not', null)
      .execute();
  }
  const mine = trx.updateTable('schedule').where('region', '=', instance.region);
  await mine.set({ next_at: moved('next_at') }).execute();
  await mine
    .set({ lease_until: moved('lease_until') })
    .where('lease_until', '>', 0)
    .execute();
  await trx
    .updateTable('presence')
    .set({ alive_at: to, started_at: moved('started_at') })
    .where('instance', '=', instance.name)
    .execute();
}

type Moved = (column: string) => RawBuilder<number>;

async function othersWatch(trx: Transaction<Tables>, own: string, times: readonly number[]): Promise<boolean> {
  const rows = await trx.selectFrom('presence').select('alive_at').where('instance', '!=', own).execute();
  return rows.some(({ alive_at: at }) => times.some((time) => Math.abs(at - time) < justNow));
}

async function moveMonitors(trx: Transaction<Tables>, to: number, moved: Moved): Promise<void> {
  // What would lie ahead has come by a clock that was fast.
  const past = (column: string) =>
    sql<number>`case when ${sql.ref(column)} > ${sql.lit(to)} then ${moved(column)} else ${sql.ref(column)} end`;
  await trx
    .updateTable('monitor_state')
    .set({
      accounted_until: moved('accounted_until'),
      watched_since: moved('watched_since'),
      blind_since: moved('blind_since'),
      ping_due_at: moved('ping_due_at'),
      silence_review_at: moved('silence_review_at'),
      run_started_at: moved('run_started_at'),
      last_ping_at: past('last_ping_at'),
      last_checked_at: past('last_checked_at'),
    })
    .execute();
}

async function moveOutbox(trx: Transaction<Tables>, moved: Moved): Promise<void> {
  const waiting = trx.updateTable('delivery').where('status', '=', sql.lit('pending'));
  await waiting.set({ next_at: moved('next_at'), tried_since: moved('tried_since') }).execute();
  await waiting
    .set({ lease_until: moved('lease_until') })
    .where('lease_until', '>', 0)
    .execute();
  await trx
    .updateTable('channel')
    .set({ wait_until: moved('wait_until') })
    .where('wait_until', '>', 0)
    .execute();
  await trx
    .updateTable('alert')
    .set({ remind_at: moved('remind_at') })
    .where('remind_at', 'is not', null)
    .execute();
}

/** What regions said last, which the store keeps as JSON. */
async function moveViews(store: Store, trx: Transaction<Tables>, byMs: number, region: number | null): Promise<void> {
  for (let after = 0; ;) {
    const rows = await trx
      .selectFrom('monitor_state')
      .select(['monitor', 'regions'])
      .where('monitor', '>', after)
      .where('regions', '!=', '{}')
      .orderBy('monitor')
      .limit(chunk)
      .modifyEnd(store.dialect.forUpdate)
      .execute();
    if (rows.length === 0) return;
    const views = rows.map(({ monitor, regions }) => ({
      monitor,
      regions: JSON.stringify(shiftViews(JSON.parse(regions) as MonitorState['regions'], byMs, region)),
    }));
    const given = store.dialect.rows('given', { monitor: 'long', regions: 'text' }, views);
    await trx
      .updateTable('monitor_state')
      .from(given)
      .set((set) => ({ regions: set.ref('given.regions') }))
      .whereRef('monitor_state.monitor', '=', 'given.monitor')
      .execute();
    after = rows.at(-1)!.monitor;
  }
}
