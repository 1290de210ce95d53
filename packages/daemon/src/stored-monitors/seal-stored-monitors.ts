import { storedSize } from '../core/stored-size.ts';
import type { UpgradeStep } from '../store/upgrade-step.ts';
import type { MonitorVault } from './monitor-vault.ts';

/** Monitors of a piece: with the longest bodies, 20 take some milliseconds. */
const pieceRows = 20;

/** Seals the secrets of monitors that an earlier version stored in the clear. */
export const sealStoredMonitors = (vault: Pick<MonitorVault, 'reseal'>): UpgradeStep => ({
  name: 'seal monitors',
  async run(trx, after) {
    const rows = await trx
      .selectFrom('monitor')
      .select(['seq', 'id', 'type', 'key', 'name', 'config'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(pieceRows)
      .execute();
    for (const row of rows) {
      const columns = vault.reseal(row);
      if (columns === null) continue;
      await trx
        .updateTable('monitor')
        .set({ config: columns.config, bytes: storedSize(columns) })
        .where('seq', '=', row.seq)
        // If another daemon changed the monitor meanwhile, it also sealed it.
        .where('config', '=', row.config)
        .execute();
    }
    return rows.at(-1)?.seq ?? null;
  },
});
