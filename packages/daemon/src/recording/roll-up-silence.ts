import type { Transaction } from 'kysely';
import { isAfterSilence, type LateTime, lateTime } from '../core/late-time.ts';
import type { Thinned } from '../core/thin-runs.ts';
import { addUnobserved, coverUnobserved } from '../core/unobserved-times.ts';
import type { RolledUp, StoredState } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';
import { rollUpTime } from './roll-up-time.ts';

/** A result of a probe. `at` is in epoch milliseconds. */
interface ProbeCheck {
  monitor: number;
  region: number;
  at: number;
  outcome: { verdict: 'up' | 'down' | 'internal' };
  isLate: boolean;
  thinned: Thinned | null;
  intervalMs: number;
}

/**
 * Rolls up the time before a probe's result that arrived late, or that is the first one after its region reported
 * nothing for a while. Until now it was unknown whether the monitor was up in that time. Changes `one.state`, and
 * resolves with whether the caller has to write that state.
 */
export async function rollUpSilence(
  trx: Transaction<Tables>,
  check: ProbeCheck,
  one: { state: StoredState },
): Promise<boolean> {
  const { monitor, region, at, outcome, isLate, thinned, intervalMs } = check;
  if (!isLate && !isAfterSilence(one.state, check, intervalMs)) return false;
  const view = one.state.regions[region];
  if (!view || one.state.status === 'paused') return false;
  const failed = outcome.verdict === 'down';
  const shown = lateTime(one.state, { region, at, failed, thinned }, intervalMs);
  if (shown) {
    const rolledUp = await rollUpShown(trx, monitor, one.state, shown, at);
    await trx
      .updateTable('monitor_state')
      .set({ rolled_up_until: rolledUp.rolledUpUntil, unobserved: JSON.stringify(rolledUp.unobserved) })
      .where('monitor', '=', monitor)
      .execute();
    one.state = { ...one.state, ...rolledUp };
  }
  if (isLate) {
    const late = view.late && view.late.at > at ? view.late : { at, failed };
    one.state = { ...one.state, regions: { ...one.state.regions, [region]: { ...view, late } } };
  } else if (shown?.isLatest) {
    // A result that arrived in time makes the monitor observed again. After a late result, the monitor stays unobserved
    // until a result arrives in time.
    one.state = { ...one.state, blindSince: null };
  }
  return true;
}

/**
 * Adds the time for which a result shows the status, as far as no earlier result showed it. If the result is the latest
 * of the monitor, the rollups continue at its time.
 */
async function rollUpShown(
  trx: Transaction<Tables>,
  monitor: number,
  state: StoredState,
  shown: LateTime,
  at: number,
): Promise<RolledUp> {
  const { covered, rest } = coverUnobserved(state.unobserved, shown);
  const times = [...covered];
  if (shown.isLatest) times.push({ from: state.rolledUpUntil, until: shown.until });
  for (const { from, until } of times) {
    const known = { status: shown.status, blindSince: null, rolledUpUntil: from };
    await rollUpTime(trx, monitor, known, until);
  }
  if (!shown.isLatest) return { rolledUpUntil: state.rolledUpUntil, unobserved: rest };
  const gap = { from: Math.max(state.rolledUpUntil, shown.until), until: at };
  return { rolledUpUntil: Math.max(state.rolledUpUntil, at), unobserved: addUnobserved(rest, gap) };
}
