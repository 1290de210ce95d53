import { probeBacklogMs, probeWithBacklogKeptMs, silentProbeKeptMs } from '@uptime/sdk/contract';
import { type ExpressionBuilder, type Insertable, sql, type Transaction } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { ProbeTable, Tables } from '../store/tables.ts';

/** Maximum number of probes of one token, so that a stolen token cannot fill the table. */
export const maxProbes = 20;
/**
 * A probe that has been silent for this time may be deleted to make room for another probe. There are two exceptions.
 * A probe that had a backlog of results stays. A probe that ran for longer than this time stays until it has been
 * silent for as long as it ran, or for `silentProbeKeptMs`. Such a probe probably has a persistent folder, and stores
 * results there while its link is cut.
 */
const silentForLongMs = 3_600_000;

/** Adds a probe. Throws `conflict` if its token has too many probes. */
export async function addProbe(trx: Transaction<Tables>, row: Insertable<ProbeTable>, now: number): Promise<void> {
  await trx
    .deleteFrom('probe')
    .where('token', '=', row.token)
    .where('seen_at', '<', now - probeWithBacklogKeptMs)
    .execute();
  const { count } = await trx
    .selectFrom('probe')
    .where('token', '=', row.token)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const tooMany = count + 1 - maxProbes;
  if (tooMany > 0 && (await makeRoom(trx, { token: row.token, tooMany, now })) < tooMany)
    throw new ServiceError(
      'conflict',
      `This token has ${maxProbes} probes already. Add another token for more, or give each probe a folder that it keeps.`,
    );
  await trx
    .insertInto('probe')
    .values(row)
    // A probe may repeat its first call while the server still processes the first attempt. So the row may already
    // exist.
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row).where('probe.region', '=', row.region))
    .execute();
}

/**
 * Deletes up to `tooMany` probes that probably never return, such as those of containers without a persistent folder.
 * Returns how many it deleted. It first deletes probes that stopped on purpose and had sent all results. Then it
 * deletes probes that have been silent for long, those with the shortest life first.
 *
 * The row of a probe has the number of the latest recorded result, and the time from which results are accepted. If a
 * probe without a row returns, the server accepts only results from then on, as from a new probe. So the row stays if
 * the probe had a backlog of results when it last reported.
 */
async function makeRoom(
  trx: Transaction<Tables>,
  { token, tooMany, now }: { token: string; tooMany: number; now: number },
): Promise<number> {
  const lifeMs = sql<number>`seen_at - first_seen_at`;
  const hasFinished = (row: ExpressionBuilder<Tables, 'probe'>) =>
    row.and([row('left_at', 'is not', null), row('queued', '=', 0)]);
  // On PostgreSQL, a probe may report between the two statements. So both of them test whether the probe may still be
  // deleted.
  const makesRoom = (row: ExpressionBuilder<Tables, 'probe'>) =>
    row.or([
      hasFinished(row),
      row.and([
        row('seen_at', '<', now - silentForLongMs),
        row.or([row('seen_at', '<', now - silentProbeKeptMs), row(lifeMs, '<', sql<number>`${now} - seen_at`)]),
        row.or([
          row('oldest_at', 'is', null),
          row('oldest_at', '>', sql<number>`seen_at - ${sql.lit(probeBacklogMs)}`),
        ]),
      ]),
    ]);
  const rows = await trx
    .selectFrom('probe')
    .select('name')
    .where('token', '=', token)
    .where(makesRoom)
    // Finished probes have null here, so they go first.
    .orderBy(
      (row) => row.case().when(hasFinished(row)).then(null).else(lifeMs).end(),
      (order) => order.nullsFirst(),
    )
    .orderBy('seen_at')
    .orderBy('name')
    .limit(tooMany)
    .execute();
  const names = rows.map(({ name }) => name);
  if (names.length === 0) return 0;
  const { numDeletedRows } = await trx
    .deleteFrom('probe')
    .where('name', 'in', names)
    .where(makesRoom)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
