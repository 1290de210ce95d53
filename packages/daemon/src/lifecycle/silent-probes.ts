import { probeBacklogMs, probeWithBacklogKeptMs, silentProbeKeptMs } from '@uptime/sdk/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import { absencesOf, observedMs } from '../core/absence.ts';
import { readAbsences } from '../store/noted-absences.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { silentAfterMs } from './regions.ts';

/** Maximum number of probes that one pass forgets. */
const maxForgotten = 500;

/** Deletes silent probes whose token has a live probe, so that the warnings about them end. */
export interface SilentProbes {
  /** Deletes the probes that the previous call found, and finds those that the next call deletes. */
  forget(store: Store, now: number): Promise<void>;
}

/**
 * Remembers which silent probes the latest call found. When the network of a place works again after days, its probes
 * report again some seconds apart. If the server deleted one of them in these seconds, it would refuse the results of
 * that probe. So a probe is deleted only if two calls find it. Calls must be at least 30 s apart.
 */
export function createSilentProbes(): SilentProbes {
  let found: string[] = [];
  return {
    async forget(store, now) {
      const names = found;
      if (names.length > 0)
        await store.write((trx) =>
          trx.deleteFrom('probe').where('name', 'in', names).where(isForgotten(now)).execute(),
        );
      const rows = await store.db
        .selectFrom('probe')
        .select(['name', 'region', 'seen_at'])
        .where(isForgotten(now))
        .orderBy('name')
        .limit(maxForgotten)
        .execute();
      // While no node receives reports, each probe continues to check its own monitors, and keeps the results. So this
      // time does not count as silence of the probe.
      const absences = await readAbsences(store.db);
      found = rows
        .filter(({ region, seen_at: seenAt }) => {
          const { own } = absencesOf(absences, region);
          return observedMs(seenAt, now, own) > silentProbeKeptMs;
        })
        .map(({ name }) => name);
    },
  };
}

/**
 * Whether a probe has been silent for so long that the server forgets it. There are no warnings about a probe that was
 * stopped on purpose, so its row stays.
 */
const isForgotten = (now: number) => (row: ExpressionBuilder<Tables, 'probe'>) =>
  row.and([
    row('left_at', 'is', null),
    row.or([
      row('seen_at', '<', now - probeWithBacklogKeptMs),
      row.and([
        row('seen_at', '<', now - silentProbeKeptMs),
        row.or([
          row('oldest_at', 'is', null),
          row('oldest_at', '>', sql<number>`seen_at - ${sql.lit(probeBacklogMs)}`),
        ]),
      ]),
    ]),
    row.exists(
      row
        .selectFrom('probe as other')
        .select('other.name')
        .whereRef('other.token', '=', 'probe.token')
        .where('other.seen_at', '>=', now - silentAfterMs),
    ),
  ]);
