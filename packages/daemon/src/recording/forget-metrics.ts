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
 * `mostOfProject` is the number of pings with metrics that all heartbeats of a project keep together. Null means that
 * only `maxPingsWithMetrics` limits them.
 */
export function createMetricsShares(mostOfProject: number | null): MetricsShares {
  const shares = new Map<string, number>();
  return {
    async of(db, { project_id: project }) {
      if (mostOfProject === null) return maxPingsWithMetrics;
      const known = shares.get(project);
      if (known !== undefined) return known;
      const { jobs } = await db
        .selectFrom('monitor')
        .select((row) => row.fn.countAll<number | string>().as('jobs'))
        .where('project_id', '=', project)
        .where('token', 'is not', null)
        .executeTakeFirstOrThrow();
      const share = Math.floor(mostOfProject / Math.max(1, Number(jobs)));
      const kept = Math.min(maxPingsWithMetrics, share);
      shares.set(project, kept);
      return kept;
    },
    forget: () => shares.clear(),
  };
}

/** Maximum number of pings that one transaction removes. */
const piece = 1000;

/**
 * Keeps the newest `most` pings with metrics of a heartbeat, so that a job that pings without pause does not fill the
 * disk. Removes up to 1,000 of the others in one call, the oldest first. Resolves with whether more of them may be
 * left.
 */
export async function forgetMetrics(
  trx: Transaction<Tables>,
  monitor: number,
  most = maxPingsWithMetrics,
): Promise<boolean> {
  const ofHeartbeat = () =>
    trx.selectFrom('ping').select(['id', 'at']).where('monitor', '=', monitor).where('metrics', 'is not', null);
  const newestBeyond = await ofHeartbeat()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(most)
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
    .limit(piece)
    .execute();
  const ids = beyond.map(({ id }) => id);
  await trx.deleteFrom('ping').where('id', 'in', ids).execute();
  return ids.length === piece;
}
