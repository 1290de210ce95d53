import type { Transaction } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/**
 * Maximum number of pings with metrics that a heartbeat keeps. At one ping a minute, these are the pings of 34 days.
 */
export const maxPingsWithMetrics = 50_000;

/** Tells how many pings with metrics each heartbeat of a project keeps. */
export interface MetricsShares {
  of(db: Store['db'], monitor: { project_id: string }): Promise<number>;
  /** Forgets how many heartbeats each project has, so that they are counted again. */
  forget(): void;
}

/**
 * Divides the limit of each project equally among its heartbeats. `maxOfProject` is the number of pings with metrics
 * that all heartbeats of a project keep together. If it is null, only `maxPingsWithMetrics` limits each heartbeat.
 */
export function createMetricsShares(maxOfProject: number | null): MetricsShares {
  const shares = new Map<string, number>();
  return {
    async of(db, { project_id: project }) {
      if (maxOfProject === null) return maxPingsWithMetrics;
      const known = shares.get(project);
      if (known !== undefined) return known;
      const { jobs } = await db
        .selectFrom('monitor')
        .select((row) => row.fn.countAll<number | string>().as('jobs'))
        .where('project_id', '=', project)
        .where('token', 'is not', null)
        .executeTakeFirstOrThrow();
      const share = Math.floor(maxOfProject / Math.max(1, Number(jobs)));
      const kept = Math.min(maxPingsWithMetrics, share);
      shares.set(project, kept);
      return kept;
    },
    forget: () => shares.clear(),
  };
}

/** Maximum number of pings that one transaction removes. */
const maxPiecePings = 1000;

/**
 * Keeps the newest `maxPings` pings with metrics of a heartbeat, so that a job that pings continuously does not fill
 * the disk. Removes up to 1,000 older pings with metrics in one call, the oldest first. Resolves with whether more
 * pings may have to be removed.
 */
export async function forgetMetrics(
  trx: Transaction<Tables>,
  monitor: number,
  maxPings = maxPingsWithMetrics,
): Promise<boolean> {
  const ofHeartbeat = () =>
    trx.selectFrom('ping').select(['id', 'at']).where('monitor', '=', monitor).where('metrics', 'is not', null);
  const newestBeyond = await ofHeartbeat()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxPings)
    .limit(1)
    .executeTakeFirst();
  if (!newestBeyond) return false;
  const beyond = await ofHeartbeat()
    .where((row) =>
      row.or([
        row('at', '<', newestBeyond.at),
        row.and([row('at', '=', newestBeyond.at), row('id', '<=', newestBeyond.id)]),
      ]),
    )
    .orderBy('at')
    .orderBy('id')
    .limit(maxPiecePings)
    .execute();
  const ids = beyond.map(({ id }) => id);
  await trx.deleteFrom('ping').where('id', 'in', ids).execute();
  return ids.length === maxPiecePings;
}
