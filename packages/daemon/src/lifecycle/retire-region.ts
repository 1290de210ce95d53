import type { Transaction } from 'kysely';
import { rolesFromText } from '../core/roles.ts';
import { ServiceError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { refitRegions } from './refit-regions.ts';
import { joining, silentAfterMs } from './regions.ts';

/**
 * Retires a region that nothing serves any more: lists, warnings and metrics leave it out, and new monitors that name no
 * regions do not get it. Monitors keep it, and their verdicts ignore it as before. Only a monitor that names no regions
 * and whose plan limits their number gets another region instead. Resolves with the number of these monitors.
 *
 * The region is back as soon as a daemon or a probe reports from it. Throws `not_found`, and `conflict` while the region
 * reports or may not have been able to report.
 */
export async function retireRegion(store: Store, name: string, now: number): Promise<number> {
  await store.write(async (trx) => {
    const row = await trx.selectFrom('region').select(['id', 'seen_at']).where('name', '=', name).executeTakeFirst();
    if (!row || row.seen_at === 0) throw new ServiceError('not_found', `No daemon or probe has served ${name}.`);
    if (row.seen_at === joining ? await isServedNow(trx, row.id, now) : row.seen_at >= now - silentAfterMs)
      throw new ServiceError('conflict', `The region ${name} reports now. Stop its daemon and its probes first.`);
    if (!(await isKnownSilent(trx, row.seen_at)))
      throw new ServiceError(
        'conflict',
        `Since the last report from ${name}, the server has not run for ${silentAfterMs / 1000} s. Let it run, and try again in ${silentAfterMs / 1000} s.`,
      );
    // The time of its last report, and not `now`: whichever report comes next is later.
    await trx.updateTable('region').set({ retired_at: row.seen_at }).where('id', '=', row.id).execute();
  });
  // If the process ends during this, the operator retires the region again, and the other monitors get their regions.
  // A silent region keeps its monitors when another region is retired. So no region counts as silent here.
  return refitRegions(store, { now, observingSince: now, onlyRetired: true });
}

/** Whether a daemon or a probe of a region runs. A join whose process was killed leaves the region at `joining`. */
async function isServedNow(trx: Transaction<Tables>, region: number, now: number): Promise<boolean> {
  const since = now - silentAfterMs;
  const daemon = await trx
    .selectFrom('presence')
    .select('instance')
    .where('region', '=', region)
    .where('alive_at', '>=', since)
    .executeTakeFirst();
  const probe = await trx
    .selectFrom('probe')
    .select('name')
    .where('region', '=', region)
    .where('seen_at', '>=', since)
    .executeTakeFirst();
  return daemon !== undefined || probe !== undefined;
}

/**
 * Whether a server ran for `silentAfterMs` without a report of the region. While no server runs, and just after a start,
 * the last report of every region is old.
 */
async function isKnownSilent(trx: Transaction<Tables>, seenAt: number): Promise<boolean> {
  const runs = await trx.selectFrom('presence').select(['started_at', 'alive_at', 'roles']).execute();
  return runs.some(
    ({ started_at: startedAt, alive_at: aliveAt, roles }) =>
      // Probes report to the API.
      rolesFromText(roles).includes('api') && aliveAt - Math.max(startedAt, seenAt) > silentAfterMs,
  );
}
