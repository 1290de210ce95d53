import { sql, type Transaction } from 'kysely';
import { shiftViews } from '../core/lifecycle.ts';
import { stateFromRow, stateToRow } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { account } from './account.ts';

const chunk = 500;
/** Milliseconds within which a clock that was set back is noticed. */
const justNow = 10_000;

/**
 * From `from` to `to` (epoch milliseconds) nobody watched: the daemon was stopped or suspended, its store was gone, or
 * the clock was set, in which case `to` may lie before `from`. That time is no evidence: it counts in no uptime, is not
 * held against a heartbeat's silence, and checks missed in it are due now.
 */
export async function recordAbsence(
  store: Store,
  instance: { name: string; region: number },
  from: number,
  to: number,
): Promise<void> {
  const setBack = to < from;
  for (let after = 0; ;) {
    const rows = await store.db
      .selectFrom('monitor_state')
      .select('monitor')
      .where('monitor', '>', after)
      .orderBy('monitor')
      .limit(chunk)
      .execute();
    if (rows.length === 0) break;
    await store.write(async (trx) => {
      for (const { monitor } of rows) {
        const row = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', monitor).executeTakeFirst();
        if (!row) continue;
        const state = stateFromRow(row);
        const shifted = stateToRow(setBack ? shiftViews(state, to - from) : state);
        await account(trx, monitor, { ...state, accountedUntil: row.accounted_until }, from);
        await trx
          .updateTable('monitor_state')
          .set({
            accounted_until: setBack ? to : Math.max(to, row.accounted_until),
            regions: shifted.regions,
            watched_since: shifted.watched_since,
          })
          .where('monitor', '=', monitor)
          .execute();
      }
    });
    after = rows.at(-1)!.monitor;
  }
  await store.write(async (trx) => {
    const silences = trx.updateTable('monitor_state').where('ping_due_at', 'is not', null);
    await silences
      .set({ ping_due_at: sql<number>`ping_due_at + ${sql.lit(to - from)}` })
      .where((ping) =>
        setBack
          ? // One that just came was already timed by the clock as it is now: moved, it would be long overdue.
            ping.or([
              ping('last_ping_at', 'is', null),
              ping('last_ping_at', '<', to - justNow),
              ping('last_ping_at', '>', to),
            ])
          : ping.or([ping('last_ping_at', 'is', null), ping('last_ping_at', '<=', from)]),
      )
      .execute();
    if (!setBack) {
      // A ping from within: of the silence after it, what lay before `to` is nobody's.
      await silences
        .set({ ping_due_at: sql<number>`ping_due_at + ${sql.lit(to)} - last_ping_at` })
        .where('last_ping_at', '>', from)
        .where('last_ping_at', '<', to)
        .execute();
    }
    // Given back more than once, by several daemons or by a clock that was wrong: none waits longer than after a ping now.
    await silences
      .set({ ping_due_at: sql<number>`${sql.lit(to)} + patience` })
      .where('ping_due_at', '>', sql<number>`${sql.lit(to)} + patience`)
      .execute();
    // Where the clock was set back, a silence may be due before it was to be looked at.
    await silences.set((set) => ({ silence_review_at: set.ref('ping_due_at') })).execute();
    const mine = trx.updateTable('schedule').where('region', '=', instance.region);
    if (setBack) await mine.set({ next_at: sql<number>`next_at + ${sql.lit(to - from)}` }).execute();
    else await mine.set({ next_at: to }).where('next_at', '<', to).execute();
    if (setBack) await moveOutbox(trx, to, to - from);
    await trx.updateTable('presence').set({ alive_at: to }).where('instance', '=', instance.name).execute();
  });
}

/** Nothing waits for longer than it was to wait because the clock was set back. */
async function moveOutbox(trx: Transaction<Tables>, now: number, by: number): Promise<void> {
  const moved = (column: 'next_at' | 'wait_until' | 'remind_at') => sql<number>`${sql.ref(column)} + ${sql.lit(by)}`;
  await trx
    .updateTable('delivery')
    .set({ next_at: moved('next_at') })
    .where('status', '=', sql.lit('pending'))
    .where('next_at', '>', now)
    .execute();
  await trx
    .updateTable('channel')
    .set({ wait_until: moved('wait_until') })
    .where('wait_until', '>', now)
    .execute();
  await trx
    .updateTable('alert')
    .set({ remind_at: moved('remind_at') })
    .where('remind_at', '>', now)
    .execute();
}
