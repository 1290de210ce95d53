import type { Transaction } from 'kysely';
import type { Clock } from '../deps.ts';
import type { DueMonitor, ProjectFilter } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** How long a claim holds unless renewed. A monitor waits this long if its checker was killed. */
const leaseMs = 15_000;
/** Time after which claims must be renewed. */
export const renewAfterMs = leaseMs / 3;
/** Claims renewed in one transaction, so that each is short. */
const renewedAtOnce = 500;

export interface Look {
  limit: number;
  /** The projects whose monitors are claimed. Default: all. */
  of?: ProjectFilter;
  /** Leaves out checks that could be claimed before this, in epoch milliseconds. */
  after?: number;
}

/** One region's part of the schedule: due checks and their claims. */
export interface Claims {
  /** Claims what is due now, the longest due first. */
  takeDue(look: Look): Promise<DueMonitor[]>;
  /** Claims a monitor, due or not. `false` if it is claimed already, `null` if the region does not check it. */
  takeOne(monitor: number): Promise<{ monitor: number; next_at: number } | false | null>;
  /**
   * Renews claims that are still held. Claims given back meanwhile stay free, because otherwise the monitor would not
   * be checked until the lease lapses.
   */
  renew(monitors: readonly number[]): Promise<void>;
  giveBack(monitors: readonly number[]): Promise<void>;
  /** The first check that becomes free: since when it is due, and when it can be claimed, in epoch milliseconds. */
  firstFree(): Promise<{ next_at: number; at: number } | undefined>;
  /** Since when the longest due of these monitors waits, in epoch milliseconds; null if none waits. */
  oldestDue(of: ProjectFilter): Promise<number | null>;
  /** How many of a project's monitors wait for their check. */
  waiting(project: string): Promise<number>;
}

/** Its commits do not wait for the disk: a claim lost in a power cut is simply taken again. */
export function createClaims(store: Store, clock: Clock, region: number): Claims {
  // The schedule's index is on this expression: the time at which a row is due and unclaimed.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => store.write(work, { durable: false });
  const some = (trx: Transaction<Tables>, monitors: readonly number[]) =>
    trx.updateTable('schedule').where('region', '=', region).where('monitor', 'in', monitors);

  /** Rows that are due and unclaimed. */
  const dueNow = (of: ProjectFilter | undefined) => {
    const due = store.db.selectFrom('schedule').where('region', '=', region).where(freeAt, '<=', clock.now());
    if (of === undefined) return due;
    if ('project' in of) return due.where('project', '=', of.project);
    return of.except.length === 0 ? due : due.where('project', 'not in', of.except);
  };

  return {
    async takeDue({ limit, of, after }) {
      if (limit <= 0) return [];
      // Reading first leaves the writer free while nothing is due.
      let due = dueNow(of).select('monitor').limit(1);
      if (after !== undefined) due = due.where(freeAt, '>', after);
      if (!(await due.executeTakeFirst())) return [];
      return write((trx) => {
        // Read again, because the timeline may have stepped while this waited for its turn.
        const now = clock.now();
        return store.dialect.claimDue(trx, { region, now, leaseUntil: now + leaseMs, limit, of, after });
      });
    },
    async takeOne(monitor) {
      const taken = await write((trx) => {
        const now = clock.now();
        return some(trx, [monitor])
          .set({ lease_until: now + leaseMs })
          .where('lease_until', '<', now)
          .returning(['monitor', 'next_at'])
          .executeTakeFirst();
      });
      if (taken) return taken;
      const held = await store.db
        .selectFrom('schedule')
        .select('monitor')
        .where('monitor', '=', monitor)
        .where('region', '=', region)
        .executeTakeFirst();
      return held ? false : null;
    },
    async renew(monitors) {
      for (let at = 0; at < monitors.length; at += renewedAtOnce)
        await write((trx) =>
          some(trx, monitors.slice(at, at + renewedAtOnce))
            .set({ lease_until: clock.now() + leaseMs })
            .where('lease_until', '>', 0)
            .execute(),
        );
    },
    async giveBack(monitors) {
      if (monitors.length > 0) await write((trx) => some(trx, monitors).set({ lease_until: 0 }).execute());
    },
    firstFree: () =>
      store.db
        .selectFrom('schedule')
        .select(['next_at', freeAt.as('at')])
        .where('region', '=', region)
        .orderBy(freeAt)
        .limit(1)
        .executeTakeFirst(),
    async oldestDue(of) {
      const oldest = await dueNow(of).select('next_at').orderBy(freeAt).limit(1).executeTakeFirst();
      return oldest?.next_at ?? null;
    },
    async waiting(project) {
      const { count } = await dueNow({ project })
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}
