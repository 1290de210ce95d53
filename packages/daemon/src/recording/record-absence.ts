import { sql, type Transaction } from 'kysely';
import { type Absences, joinEach, type NotedAbsences, type SignOfLife, unservedSince } from '../core/absence.ts';
import { rolesFromText, rolesToText, type ServingNode } from '../core/roles.ts';
import { parseAbsences, readAbsences } from '../store/noted-absences.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type MonitorRange, monitorRanges } from '../stored-monitors/monitor-ranges.ts';
import { rollUpAll } from './roll-up-all.ts';
import { spreadMissedChecks } from './spread-missed-checks.ts';

export interface AbsenceOptions {
  /** The start and the end of the absence, in epoch milliseconds. */
  from: number;
  to: number;
  /** Returns the time of the daemon's clock. By default, the clock stands still at `to`. */
  now?: () => number;
}

/**
 * Records that this node was absent from `from` to `to` (epoch milliseconds): it was stopped, or stalled, or its store
 * was gone. Only time in which no other node did the same work counts as absent:
 *
 * - For heartbeats, that is time in which no node received pings. It counts in no uptime and in no silence.
 * - For monitors that only daemons check, that is time in which no node checked them. It counts in no uptime. The
 *   missed checks run within one interval.
 * - For monitors that a probe checks, that is time in which no node checked and none received results of probes. It
 *   counts in no uptime, unless late results of the probes cover it.
 *
 * Pings that arrived during the absence may be recorded before this call or after it.
 *
 * Resolves with the latest absences of all nodes (`noted`, see core/absence.ts), and notes this absence for the other
 * nodes. If this node has only one of the roles `api` and `checker`, `seen` contains an absence of the other role: the
 * time in which no node did any work of these two roles. `seen` is empty if another node does some of this work now.
 */
export async function recordAbsence(
  store: Store,
  node: ServingNode,
  { from, to, now = () => to }: AbsenceOptions,
): Promise<{ noted: Absences; seen: NotedAbsences }> {
  const find = async (db: Pick<Transaction<Tables>, 'selectFrom'>) =>
    findUnserved(node, await signsOfOthers(db, node.name), { from, to, readAt: now() });

  await rollUpUnserved(store, await find(store.db), { region: node.region, to });
  return store.write(
    async (trx) => {
      // After a stall of the store, all nodes record the same absence at once. Only the first node to get this lock
      // extends the deadlines.
      await store.dialect.lockAbsences(trx);
      const { pings, here, everywhere, receiving, checking } = await find(trx);
      if (pings !== null || here !== null)
        for await (const range of monitorRanges(trx)) {
          if (pings !== null) await extendDeadlines(trx, range, pings, to);
          // A schedule in memory needs no change: it knows since when this process has run without an absence.
          if (here !== null && !store.dialect.exclusive)
            await spreadMissedChecks(store, trx, { ...range, region: node.region, to });
        }
      const since = (start: number | null) => (hasBegun(start) ? [{ from: start, to }] : []);
      const seen = { receiving: since(receiving), checking: since(checking) };
      const own = await notedBy(trx, node.name);
      const absences = joinEach([own, { receiving: since(pings), checking: since(everywhere) }]);
      const sign = {
        region: node.region,
        roles: rolesToText(node.roles),
        alive_at: to,
        ended_at: null,
        absences: JSON.stringify(absences),
      };
      // A node with a new name has no row yet.
      await trx
        .insertInto('presence')
        .values({ instance: node.name, started_at: to, ...sign })
        .onConflict((conflict) => conflict.column('instance').doUpdateSet(sign))
        .execute();
      return { noted: await readAbsences(trx), seen };
    },
    // The commit need not wait for the disk: after a power cut, the next start finds an older sign of life, and records
    // the absence again. Other nodes may change the rows during this transaction (see store/dialect.ts). That does no
    // harm, because each update works on the row as it finds it.
    { durable: false },
  );
}

async function notedBy(trx: Transaction<Tables>, instance: string): Promise<NotedAbsences> {
  const row = await trx.selectFrom('presence').select('absences').where('instance', '=', instance).executeTakeFirst();
  return parseAbsences(row?.absences ?? '{}');
}

/**
 * Whether nodes did a kind of work in the past, but no node does it now. `start` is null if a node does it now, and 0
 * if no node ever did it.
 */
const hasBegun = (start: number | null): start is number => start !== null && start > 0;

/**
 * For each kind of work, the time since which no node has done it, in epoch milliseconds. Null if another node does
 * that work. Also null if this node lacks the role for the work, except for `receiving` and `checking`.
 */
interface Unserved {
  /** Start of the time in which no node received pings. */
  pings: number | null;
  /** Start of the time in which no node checked from any region. */
  everywhere: number | null;
  /** Start of the time in which no node checked, and none received pings or results of probes. */
  anything: number | null;
  /** Start of the time in which no node checked from the region of this node. */
  here: number | null;
  /**
   * Start of the time in which no node received pings and no other node checked. Null if this node receives pings, or
   * does not check. This time begins only when other nodes no longer check. While they check, they themselves find out
   * that the regions of probes are silent.
   */
  receiving: number | null;
  /**
   * Start of the time in which no node checked and no other node received pings. Null if this node checks, or does not
   * receive pings.
   */
  checking: number | null;
}

function findUnserved(
  { region, roles }: ServingNode,
  others: readonly (SignOfLife & Pick<ServingNode, 'roles'>)[],
  times: { from: number; to: number; readAt: number },
): Unserved {
  const takers = others.filter((other) => other.roles.includes('api'));
  const checkers = others.filter((other) => other.roles.includes('checker'));
  const sameRegion = checkers.filter((other) => other.region === region);
  const checks = roles.includes('checker');
  const receives = roles.includes('api');
  const [receiving, checking] = [unservedSince(times, takers), unservedSince(times, checkers)];
  const both = receiving === null || checking === null ? null : Math.max(receiving, checking);
  return {
    receiving: checks && !receives ? both : null,
    checking: receives && !checks ? both : null,
    pings: receives ? receiving : null,
    everywhere: checks ? checking : null,
    anything: checks || receives ? unservedSince(times, [...takers, ...checkers]) : null,
    here: checks ? unservedSince(times, sameRegion) : null,
  };
}

async function rollUpUnserved(
  store: Store,
  { pings, everywhere, anything, here }: Unserved,
  { region, to }: { region: number; to: number },
): Promise<void> {
  if (here !== null && here !== everywhere) await rollUpAll(store, { from: here, to, only: { region } });
  // With one node, these times are the same.
  if (anything !== null && everywhere === anything && pings === anything)
    return rollUpAll(store, { from: anything, to });
  if (everywhere !== null) await rollUpAll(store, { from: everywhere, to, only: { notProbedSince: everywhere } });
  // If this node does not check, it leaves out the monitors without probes. For these, the next node with the role
  // `checker` records the absence.
  if (anything !== null)
    await rollUpAll(store, { from: anything, to, only: everywhere === null ? 'probed' : { probedSince: everywhere } });
  if (pings !== null) await rollUpAll(store, { from: pings, to, only: 'heartbeats' });
}

async function signsOfOthers(db: Pick<Transaction<Tables>, 'selectFrom'>, own: string) {
  const rows = await db
    .selectFrom('presence')
    .select(['region', 'alive_at', 'roles'])
    .where('instance', '!=', own)
    .execute();
  return rows.map(({ region, alive_at: aliveAt, roles }) => ({ region, aliveAt, roles: rolesFromText(roles) }));
}

/**
 * Extends the deadlines of heartbeats by the whole absence, but not beyond the deadline that a ping at the end of the
 * absence would set. Never moves a deadline to an earlier time.
 */
async function extendDeadlines(trx: Transaction<Tables>, { first, last }: MonitorRange, from: number, to: number) {
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
