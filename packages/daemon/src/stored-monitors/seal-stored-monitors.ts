import { storedSize } from '../core/stored-size.ts';
import type { UpgradeStep } from '../store/upgrade-step.ts';
import type { MonitorVault } from './monitor-vault.ts';

/**
 * Maximum number of monitors that one transaction of this upgrade step changes. Even with the longest bodies, 20
 * monitors take only a few milliseconds.
 */
const maxPieceRows = 20;

/**
 * Returns the upgrade step that encrypts secrets of monitors, because an earlier version stored these secrets
 * unencrypted.
 */
export const sealStoredMonitors = (vault: Pick<MonitorVault, 'reseal'>): UpgradeStep => ({
  name: 'seal monitors',
  async run(trx, after) {
    const rows = await trx
      .selectFrom('monitor')
      .select(['seq', 'id', 'type', 'key', 'name', 'config'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(maxPieceRows)
      .execute();
    for (const row of rows) {
      const columns = vault.reseal(row);
      if (columns === null) continue;
      await trx
        .updateTable('monitor')
        .set({ config: columns.config, bytes: storedSize(columns) })
        .where('seq', '=', row.seq)
        // If another daemon has changed the monitor since the select, that daemon has also encrypted the secrets.
        .where('config', '=', row.config)
        .execute();
    }
    return rows.at(-1)?.seq ?? null;
  },
});
