import type { Transaction } from 'kysely';
import type { Notice } from '../channels/notice.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { isSilent } from '../core/verdict.ts';
import { readAbsences } from '../store/noted-absences.ts';
import type { Tables } from '../store/tables.ts';

/** The parts of a monitor's state that decide which of its regions failed, passed or are silent. */
export interface SeenRegions {
  regions: MonitorState['regions'];
  watchedSince: number;
  /** When the status last changed. */
  since: number;
  intervalMs: number;
  /** When the regions are looked at. A region is silent if it has not reported for three intervals before this time. */
  now: number;
  /** The region whose result has just arrived. This region is not silent, even if its result is old. */
  reporting: number | null;
}

/**
 * Resolves with the names of the regions that failed, that passed, and that do not report now. `regions` is undefined
 * if only one region checks the monitor.
 */
export async function regionVerdicts(
  trx: Transaction<Tables>,
  { regions, watchedSince, since, intervalMs, now, reporting }: SeenRegions,
): Promise<Pick<Notice, 'regions'>> {
  const numbers = Object.keys(regions).map(Number);
  if (numbers.length < 2) return {};
  const rows = await trx
    .selectFrom('region')
    .select(['id', 'name'])
    .where('id', 'in', numbers)
    .orderBy('name')
    .execute();
  const absences = await readAbsences(trx);
  const found: Required<Notice>['regions'] = { failed: [], passed: [], unknown: [] };
  for (const { id, name } of rows) {
    const view = regions[id];
    const isKnown =
      view &&
      view.at !== null &&
      (id === reporting || !isSilent(id, view, { now, watchedSince, since }, { intervalMs, absences }));
    found[!isKnown ? 'unknown' : view.failed ? 'failed' : 'passed'].push(name);
  }
  return { regions: found };
}
