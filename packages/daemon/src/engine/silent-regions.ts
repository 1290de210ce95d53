import type { Absences } from '../core/absence.ts';
import { hourMs } from '../core/uptime.ts';
import type { Deps } from '../deps.ts';
import { isRetired, silentAfterMs } from '../lifecycle/regions.ts';
import { noteUnobserved } from '../recording/note-unobserved.ts';
import type { QuietChecks } from '../recording/quiet-checks.ts';
import type { Store } from '../store/store.ts';
import { type Loop, startLoop } from './loop.ts';

const pollIntervalMs = 5000;

/**
 * While the same regions stay silent, searches for unobserved monitors take this share of the time. `maxRestMs` limits
 * the time between two searches, because a single slow statement must not delay the next search for hours.
 */
const usualPace = { shareOfTime: 0.01, maxRestMs: 60_000 };
/**
 * The pace if all silent regions are retired, and a search left no monitor to mark. Later searches find only monitors
 * that were edited in the meantime.
 */
const retiredPace = { shareOfTime: 0.001, maxRestMs: 10 * 60_000 };
/**
 * A search also begins this long before each full hour, so that unobserved monitors are marked before the rollup of the
 * hour. The rollup counts the time of each monitor without a mark, and a later mark does not correct the count.
 */
const beforeHourMs = 10_000;

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
 * 2. If only silent regions check a monitor, mark it as not observed. The search for these monitors begins at once when
 *    a region falls silent. Then it is repeated, because monitors become unobserved only three intervals after their
 *    last result, and because users edit monitors.
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

  const search = createSearch(clock, store, { absences, quiet });

  return startLoop(deps, 'silent regions', async () => {
    const now = clock.now();
    const rows = await store.db
      .selectFrom('region')
      .select(['id', 'name', 'seen_at', 'silent_since', 'retired_at'])
      // `seen_at` is 0 or 1 if nothing has ever checked from the region (lifecycle/join-region.ts).
      .where('seen_at', '>', 1)
      .execute();
    const silent: typeof rows = [];
    for (const row of rows) {
      const { id, name, seen_at: seenAt, silent_since: known } = row;
      // After a start of this daemon, probes need some time to report. Until then no region counts as silent.
      const isSilent = Math.max(seenAt, observingSince()) < now - silentAfterMs;
      if (isSilent) silent.push(row);
      const lastReport = new Date(seenAt).toISOString();
      if (isSilent && known === null && (await change(id, seenAt)))
        log.warn(
          { region: name, lastReport },
          'a region is silent: its results are missing, and verdicts leave it out',
        );
      if (!isSilent && known !== null && seenAt > known && (await change(id, null)))
        log.info({ region: name, silentSince: new Date(known).toISOString() }, 'a silent region reports again');
    }
    await search(silent);
    return pollIntervalMs;
  });
}

/**
 * Returns a function that searches for monitors that only the given silent regions check, and marks them as not
 * observed. If the last search was recent, and began with the same regions, the function does nothing.
 */
function createSearch(
  clock: Pick<Deps['clock'], 'now' | 'monotonicMs'>,
  store: Store,
  { absences, quiet }: Pick<SilentRegionsOptions, 'absences' | 'quiet'>,
) {
  let searched: readonly number[] = [];
  let nextSearchMonoMs = -Infinity;

  return async (silent: readonly { id: number; seen_at: number; retired_at: number | null }[]): Promise<void> => {
    const regions = silent.map(({ id }) => id);
    const isDue = clock.monotonicMs() >= nextSearchMonoMs || regions.some((id) => !searched.includes(id));
    searched = regions;
    if (regions.length === 0 || !isDue) return;
    const begunMonoMs = clock.monotonicMs();
    let pace = usualPace;
    try {
      const isMore = await noteUnobserved(store, { regions, now: clock.now(), absences: absences(), quiet });
      if (silent.every(isRetired) && !isMore) pace = retiredPace;
    } finally {
      const endedMonoMs = clock.monotonicMs();
      const restMs = Math.min((endedMonoMs - begunMonoMs) / pace.shareOfTime, pace.maxRestMs);
      const untilHourMs = hourMs - (clock.now() % hourMs) - beforeHourMs;
      nextSearchMonoMs =
        endedMonoMs + Math.max(pollIntervalMs, untilHourMs > 0 ? Math.min(restMs, untilHourMs) : restMs);
    }
  };
}
