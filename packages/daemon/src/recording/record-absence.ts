import { sql, type Transaction } from 'kysely';
import { type SignOfLife, unservedSince } from '../core/absence.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { accountAllTime } from './account-all-time.ts';

/**
 * Records that this daemon was absent from `from` to `to` (epoch milliseconds): it was stopped, or stalled, or its store
 * was gone. Only the time in which no other daemon served counts as absent. That time counts in no uptime and in no
 * heartbeat's silence, and checks missed in it are due now. Pings that arrived meanwhile may be recorded before this or
 * after.
 */
export async function recordAbsence(
  store: Store,
  instance: { name: string; region: number },
  from: number,
  to: number,
): Promise<void> {
  /** Since when the region, and since when all regions, were unserved. */
  const findUnserved = async (db: Pick<Transaction<Tables>, 'selectFrom'>) => {
    const others = await signsOfOthers(db, instance.name);
    return {
      here: unservedSince(
        from,
        to,
        others.filter(({ region }) => region === instance.region),
      ),
      everywhere: unservedSince(from, to, others),
    };
  };

  const { here, everywhere } = await findUnserved(store.db);
  if (here !== null && here !== everywhere) await accountAllTime(store, { from: here, to, onlyIn: instance.region });
  if (everywhere !== null) await accountAllTime(store, { from: everywhere, to });
  await store.write(
    async (trx) => {
      // After a stall of the store, all daemons come here at once. The first one gives the time back.
      await store.dialect.lockAbsences(trx);
      const unserved = await findUnserved(trx);
      if (unserved.here !== null)
        for await (const range of monitorRanges(trx)) {
          if (unserved.everywhere !== null) await giveBack(trx, range, unserved.everywhere, to);
          await makeDue(trx, range, instance.region, to);
        }
      await trx.updateTable('presence').set({ alive_at: to }).where('instance', '=', instance.name).execute();
    },
    // Not durable: each row is changed in its present state, even while other daemons write. After a power cut the next
    // start finds an older sign of life, and repeats this.
    { durable: false },
  );
}

async function signsOfOthers(db: Pick<Transaction<Tables>, 'selectFrom'>, own: string): Promise<SignOfLife[]> {
  const rows = await db.selectFrom('presence').select(['region', 'alive_at']).where('instance', '!=', own).execute();
  return rows.map(({ region, alive_at: aliveAt }) => ({ region, aliveAt }));
}

/**
 * Gives heartbeats the whole gap back, but none waits longer than after a ping now. A deadline set by a ping is never
 * lowered.
 */
async function giveBack(trx: Transaction<Tables>, { first, last }: MonitorRange, from: number, to: number) {
  const due = sql<number>`ping_due_at + ${sql.lit(to - from)}`;
  const most = sql<number>`case when last_ping_at > ${sql.lit(to)} then last_ping_at else ${sql.lit(to)} end + allowed_silence_ms`;
  await trx
    .updateTable('monitor_state')
    .set({ ping_due_at: sql<number>`case when ${due} < ${most} then ${due} else ${most} end` })
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('ping_due_at', '<', most)
    .execute();
}

async function makeDue(trx: Transaction<Tables>, { first, last }: MonitorRange, region: number, to: number) {
  await trx
    .updateTable('schedule')
    .set({ next_at: to })
    .where('monitor', '>=', first)
    .where('monitor', '<=', last)
    .where('region', '=', region)
    .where('next_at', '<', to)
    .execute();
}
