import type { Transaction } from 'kysely';
import { rolesFromText } from '../core/roles.ts';
import { ServiceError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { refitRegions } from './refit-regions.ts';
import { joining, silentAfterMs } from './regions.ts';

/**
 * Retires a region that nothing serves any more: lists, warnings and metrics leave it out, and new monitors that name
 * no regions do not get it. The region's monitors keep it, but like any silent region it does not count for their
 * status. There is one exception: a monitor that names no regions gets another region instead, if a plan limits the
 * monitor's regions. Resolves with the number of monitors whose regions changed.
 *
 * The region is back as soon as a daemon or a probe reports from it. Throws `not_found` for an unknown region. Throws
 * `conflict` while the region reports, or if the server has run too briefly to know that the region is silent.
 */
export async function retireRegion(store: Store, name: string, now: number): Promise<number> {
  await store.write(async (trx) => {
    const row = await trx.selectFrom('region').select(['id', 'seen_at']).where('name', '=', name).executeTakeFirst();
    if (!row || row.seen_at === 0)
      throw new ServiceError('not_found', `No daemon or probe has served the region "${name}".`);
    if (row.seen_at === joining ? await isServedNow(trx, row.id, now) : row.seen_at >= now - silentAfterMs)
      throw new ServiceError(
        'conflict',
        `The region "${name}" is in use: a daemon or a probe reported from it within the last ${silentAfterMs / 1000} s. Stop its daemons and its probes, and try again in ${silentAfterMs / 1000} s.`,
      );
    if (!(await isKnownSilent(trx, row.seen_at)))
      throw new ServiceError(
        'conflict',
        `After the last report from the region "${name}", the server ran for less than ${silentAfterMs / 1000} s, so a probe may still report. Let the server run, and try again in ${silentAfterMs / 1000} s.`,
      );
    // This is the time of the last report and not `now`, so that any later report brings the region back.
    await trx.updateTable('region').set({ retired_at: row.seen_at }).where('id', '=', row.id).execute();
  });
  // If the process ends during this call, the operator can retire the region again. That moves the remaining monitors
  // to other regions. `observingSince` is `now`, so this call treats no other region as silent. Otherwise monitors
  // of silent regions could get other regions too.
  return refitRegions(store, { now, observingSince: now, onlyRetired: true });
}

/**
 * Whether a daemon or a probe of a region runs. If the process of a `joinRegion` was killed, `seen_at` stays at
 * `joining` although nothing reports.
 */
async function isServedNow(trx: Transaction<Tables>, region: number, now: number): Promise<boolean> {
  const since = now - silentAfterMs;
  const daemons = await trx
    .selectFrom('presence')
    .select('roles')
    .where('region', '=', region)
    .where('ended_at', 'is', null)
    .where('alive_at', '>=', since)
    .execute();
  const probe = await trx
    .selectFrom('probe')
    .select('name')
    .where('region', '=', region)
    .where('seen_at', '>=', since)
    .executeTakeFirst();
  return probe !== undefined || daemons.some(({ roles }) => rolesFromText(roles).includes('checker'));
}

/**
 * Whether a server ran for `silentAfterMs` without a report from the region. The age of the last report is not enough,
 * because it is high for every region while no server runs, and just after a start.
 */
async function isKnownSilent(trx: Transaction<Tables>, seenAt: number): Promise<boolean> {
  const runs = await trx.selectFrom('presence').select(['started_at', 'alive_at', 'roles']).execute();
  return runs.some(
    ({ started_at: startedAt, alive_at: aliveAt, roles }) =>
      // Only nodes with the role `api` receive the reports of probes.
      rolesFromText(roles).includes('api') && aliveAt - Math.max(startedAt, seenAt) > silentAfterMs,
  );
}
