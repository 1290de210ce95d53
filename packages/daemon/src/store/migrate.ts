import type { Kysely, Transaction } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';
import { isLockTimeout, isSerializationFailure } from './failures.ts';
import { initial } from './migrations/0001-initial.ts';
import { alerts } from './migrations/0002-alerts.ts';
import { statusPages } from './migrations/0003-status-pages.ts';
import { billing } from './migrations/0004-billing.ts';
import { administration } from './migrations/0005-administration.ts';
import { incidentReach } from './migrations/0006-incident-reach.ts';
import { deliveries } from './migrations/0008-deliveries.ts';
import { publicPages } from './migrations/0010-public-pages.ts';
import { disabledAccounts } from './migrations/0011-disabled-accounts.ts';
import { expiryAlerts } from './migrations/0013-expiry-alerts.ts';
import { domainClaims } from './migrations/0014-domain-claims.ts';
import { shares } from './migrations/0016-shares.ts';
import { messageLimits } from './migrations/0018-message-limits.ts';
import { usage } from './migrations/0019-usage.ts';
import { upgradeSteps } from './migrations/0021-upgrade-steps.ts';
import { allowedSilence } from './migrations/0023-allowed-silence.ts';
import { scheduleChanges } from './migrations/0024-schedule-changes.ts';
import { recentResults } from './migrations/0025-recent-results.ts';
import { accounts } from './migrations/0027-accounts.ts';
import { probes } from './migrations/0028-probes.ts';
import { probeResults } from './migrations/0029-probe-results.ts';
import { projectKeys } from './migrations/0030-project-keys.ts';
import { databaseMove } from './migrations/0032-database-move.ts';
import { silentRegions } from './migrations/0033-silent-regions.ts';
import { roles } from './migrations/0034-roles.ts';
import { sharedState } from './migrations/0035-shared-state.ts';
import { managedBy } from './migrations/0037-managed-by.ts';
import { indexesAtSize } from './migrations/0038-indexes-at-size.ts';
import { fencedClaims } from './migrations/0040-fenced-claims.ts';
import { importedHistory } from './migrations/0045-imported-history.ts';
import { prepareResultPartitions, resultPartitions } from './migrations/0046-result-partitions.ts';
import { plainColumns } from './migrations/0047-plain-columns.ts';
import { deliveryProjects } from './migrations/0048-delivery-projects.ts';
import { retiredRegions } from './migrations/0049-retired-regions.ts';
import { probeRuns } from './migrations/0050-probe-runs.ts';
import { fencedMoves } from './migrations/0051-fenced-moves.ts';
import { namedRegions } from './migrations/0052-named-regions.ts';
import { regionPages } from './migrations/0053-region-pages.ts';
import { targetGeneration } from './migrations/0054-target-generation.ts';
import { unobservedTimes } from './migrations/0055-unobserved-times.ts';
import { outages } from './migrations/0056-outages.ts';
import { notedAbsences } from './migrations/0057-noted-absences.ts';
import { failedProbes } from './migrations/0058-failed-probes.ts';
import { failingChannels } from './migrations/0059-failing-channels.ts';
import { intervalsInSeconds } from './migrations/0060-intervals-in-seconds.ts';
import { answersInOrder } from './migrations/0061-answers-in-order.ts';
import { retry } from './retry.ts';
import type { Tables } from './tables.ts';

/** The migrations, in order. A released migration is never changed; a later migration corrects it. */
const migrations: Record<string, (dialect: Dialect) => Migration['up']> = {
  '0001-initial': initial,
  '0002-alerts': alerts,
  '0003-status-pages': statusPages,
  '0004-billing': billing,
  '0005-administration': administration,
  '0006-incident-reach': incidentReach,
  '0008-deliveries': deliveries,
  '0010-public-pages': publicPages,
  '0011-disabled-accounts': disabledAccounts,
  '0013-expiry-alerts': expiryAlerts,
  '0014-domain-claims': domainClaims,
  '0016-shares': shares,
  '0018-message-limits': messageLimits,
  '0019-usage': usage,
  '0021-upgrade-steps': upgradeSteps,
  '0023-allowed-silence': allowedSilence,
  '0024-schedule-changes': scheduleChanges,
  '0025-recent-results': recentResults,
  '0027-accounts': accounts,
  '0028-probes': probes,
  '0029-probe-results': probeResults,
  '0030-project-keys': projectKeys,
  '0032-database-move': databaseMove,
  '0033-silent-regions': silentRegions,
  '0034-roles': roles,
  '0035-shared-state': sharedState,
  '0037-managed-by': managedBy,
  '0038-indexes-at-size': indexesAtSize,
  '0040-fenced-claims': fencedClaims,
  '0045-imported-history': importedHistory,
  '0046-result-partitions': resultPartitions,
  '0047-plain-columns': plainColumns,
  '0048-delivery-projects': deliveryProjects,
  '0049-retired-regions': retiredRegions,
  '0050-probe-runs': () => probeRuns,
  '0051-fenced-moves': fencedMoves,
  '0052-named-regions': namedRegions,
  '0053-region-pages': regionPages,
  '0054-target-generation': targetGeneration,
  '0055-unobserved-times': unobservedTimes,
  '0056-outages': outages,
  '0057-noted-absences': notedAbsences,
  '0058-failed-probes': failedProbes,
  '0059-failing-channels': failingChannels,
  '0060-intervals-in-seconds': intervalsInSeconds,
  '0061-answers-in-order': answersInOrder,
};

const migrationTableName = 'uptime_migration';

/**
 * How the schema of a database compares with the schema of this version. `none`: the database has no tables of a
 * daemon.
 */
export type SchemaState = 'none' | 'older' | 'current' | 'newer';

export async function schemaState(db: Kysely<Tables>, dialect: Dialect): Promise<SchemaState> {
  const done = await executed(db, dialect);
  if (done.length === 0) return 'none';
  if (done.some((name) => !(name in migrations))) return 'newer';
  return done.length === Object.keys(migrations).length ? 'current' : 'older';
}

/**
 * Migrates the schema to this version in one transaction, while other starting daemons wait. Throws if the schema is
 * newer than this daemon.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const done = await executed(db, dialect);
  const newer = done.filter((name) => !(name in migrations));
  if (newer.length > 0) {
    throw new Error(
      `The database was written by a newer version of uptime (it has ${newer.join(', ')}). Run that version, or restore a backup.`,
    );
  }
  // The migrator would take the lock and read the whole schema twice, so it runs only if a migration is missing.
  if (done.length === Object.keys(migrations).length) return;
  if (dialect.name === 'postgres') await retryWhileLocked(() => prepareResultPartitions(db, dialect));
  await retryWhileLocked(() => db.transaction().execute((trx) => migrateIn(trx, dialect)));
}

/**
 * Repeats `work` for two minutes while another session, such as a backup, locks a table. In the waits between two
 * attempts, other nodes can use the table.
 */
const retryWhileLocked = (work: () => Promise<void>): Promise<void> =>
  retry(work, {
    helps: (error) => isLockTimeout(error) || isSerializationFailure(error),
    windowMs: 120_000,
    firstWaitMs: 2000,
  });

async function migrateIn(trx: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await dialect.lockMigrations(trx);
  const migrator = new Migrator({
    db: trx,
    migrationTableName,
    migrationLockTableName: 'uptime_migration_lock',
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, create]) => [name, { up: create(dialect) }])),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

async function executed(db: Kysely<Tables>, dialect: Dialect): Promise<string[]> {
  if (!(await dialect.hasTable(db, migrationTableName))) return [];
  // `Tables` does not list the migrator's table.
  const own = db as unknown as Kysely<Record<typeof migrationTableName, { name: string }>>;
  return (await own.selectFrom(migrationTableName).select('name').execute()).map(({ name }) => name);
}
