import type { Transaction } from 'kysely';
import type { Clock } from '../deps.ts';
import type { DueMonitor, ProjectFilter } from '../store/dialect.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Milliseconds for which a claim holds unless it is renewed: so long a monitor waits whose checker was killed. */
const lease = 15_000;
/** Milliseconds after which claims are to be renewed. */
export const renewAfter = lease / 3;
/** Claims renewed in one transaction, so that none is long. */
const renewedAtOnce = 500;

export interface Look {
  limit: number;
  /** Whose monitors. Default: everyone's. */
  of?: ProjectFilter;
  /** Leaves out what could be claimed before this, in epoch milliseconds. */
  after?: number;
}

/** One region's part of the schedule: what is due, and who holds it. */
export interface Claims {
  /** Claims what is due now, the longest due first. */
  takeDue(look: Look): Promise<DueMonitor[]>;
  /** Claims a monitor, due or not: `false` where somebody holds it, `null` where the region does not check it. */
  takeOne(monitor: number): Promise<{ monitor: number; next_at: number } | false | null>;
  /** Holds on to what is still held. What was given back meanwhile stays so: nobody would check it until the lease lapses. */
  renew(monitors: readonly number[]): Promise<void>;
  giveBack(monitors: readonly number[]): Promise<void>;
  /** What is free first: since when it is due, and from when on it can be claimed, in epoch milliseconds. */
  firstFree(): Promise<{ next_at: number; at: number } | undefined>;
  /** Since when the longest due of these monitors waits for its check, in epoch milliseconds; null where none waits. */
  oldestDue(of: ProjectFilter): Promise<number | null>;
  /** How many of a project's monitors wait for their check. */
  waiting(project: string): Promise<number>;
}

/** None of its commits waits for the disk: a claim that a power cut takes back is taken again. */
export function createClaims(store: Store, clock: Clock, region: number): Claims {
  // The index of the schedule is over this: due, and held by nobody.
  const freeAt = store.dialect.greatest('next_at', 'lease_until');
  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => store.write(work, { durable: false });
  const some = (trx: Transaction<Tables>, monitors: readonly number[]) =>
    trx.updateTable('schedule').where('region', '=', region).where('monitor', 'in', monitors);

  /** What is due and held by nobody. */
  const dueNow = (of: ProjectFilter | undefined) => {
    const due = store.db.selectFrom('schedule').where('region', '=', region).where(freeAt, '<=', clock.now());
    if (of === undefined) return due;
    if ('project' in of) return due.where('project', '=', of.project);
    return of.except.length === 0 ? due : due.where('project', 'not in', of.except);
  };

  return {
    async takeDue({ limit, of, after }) {
      if (limit <= 0) return [];
      // Reading first keeps the writer free while nothing is due.
      let due = dueNow(of).select('monitor').limit(1);
      if (after !== undefined) due = due.where(freeAt, '>', after);
      if (!(await due.executeTakeFirst())) return [];
      return write((trx) => {
        // Read again: the timeline may have stepped before this came to its turn.
        const now = clock.now();
        return store.dialect.claimDue(trx, { region, now, leaseUntil: now + lease, limit, of, after });
      });
    },
    async takeOne(monitor) {
      const taken = await write((trx) => {
        const now = clock.now();
        return some(trx, [monitor])
          .set({ lease_until: now + lease })
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
            .set({ lease_until: clock.now() + lease })
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
