import type { Absences } from '../core/absence.ts';
import type { Deps } from '../deps.ts';
import { silentAfterMs } from '../lifecycle/regions.ts';
import { noteUnobserved } from '../recording/note-unobserved.ts';
import type { QuietChecks } from '../recording/quiet-checks.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const pollIntervalMs = 5000;

export interface SilentRegionsOptions {
  /** The time since which this process has run without an absence, in epoch milliseconds. */
  observingSince: () => number;
  /** The latest absences. */
  absences: () => Absences;
  quiet: Pick<QuietChecks, 'withTimes'>;
}

/**
 * Finds regions from which no daemon and no probe reports:
 * 1. Log once when a region falls silent, and once when it reports again. The store remembers which regions are silent,
 *    so only one of several daemons logs.
 * 2. If only silent regions check a monitor, mark it as not observed.
 */
export function startSilentRegions(
  deps: Pick<Deps, 'clock' | 'log'>,
  store: Store,
  { observingSince, absences, quiet }: SilentRegionsOptions,
): Loop {
  const { clock, log } = deps;

  /**
   * Stores the time since which a region has been silent; null if it reports again. Resolves with false if another
   * daemon stored the change first.
   */
  const change = async (region: number, silentSince: number | null) => {
    const { numUpdatedRows } = await store.write((trx) =>
      trx
        .updateTable('region')
        .set({ silent_since: silentSince })
        .where('id', '=', region)
        .where('silent_since', silentSince === null ? 'is not' : 'is', null)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  };

  return startLoop(deps, 'silent regions', async () => {
    const now = clock.now();
    const rows = await store.db
      .selectFrom('region')
      .select(['id', 'name', 'seen_at', 'silent_since'])
      // `seen_at` is 0 or 1 if nothing has ever checked from the region (lifecycle/join-region.ts).
      .where('seen_at', '>', 1)
      .execute();
    const silent: number[] = [];
    for (const { id, name, seen_at: seenAt, silent_since: known } of rows) {
      // After a start of this daemon, probes need some time to report. Until then no region counts as silent.
      const isSilent = Math.max(seenAt, observingSince()) < now - silentAfterMs;
      if (isSilent) silent.push(id);
      const lastReport = new Date(seenAt).toISOString();
      if (isSilent && known === null && (await change(id, seenAt)))
        log.warn(
          { region: name, lastReport },
          'a region is silent: its results are missing, and verdicts leave it out',
        );
      if (!isSilent && known !== null && seenAt > known && (await change(id, null)))
        log.info({ region: name, silentSince: new Date(known).toISOString() }, 'a silent region reports again');
    }
    if (silent.length > 0) await noteUnobserved(store, { regions: silent, now, absences: absences(), quiet });
    return pollIntervalMs;
  });
}
