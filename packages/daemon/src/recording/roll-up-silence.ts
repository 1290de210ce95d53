import type { Transaction } from 'kysely';
import { isAfterSilence, lateTime } from '../core/late-time.ts';
import type { Thinned } from '../core/thin-runs.ts';
import type { StoredState } from '../store/monitor-state-row.ts';
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
  const failed = outcome.verdict === 'down';
  const before = lateTime(one.state, { region, at, failed, thinned }, intervalMs);
  const view = one.state.regions[region];
  if (!before || !view) return false;
  const state = { ...one.state, status: before.status, blindSince: null };
  await rollUpTime(trx, monitor, state, before.until);
  const rolledUpUntil = Math.max(one.state.rolledUpUntil, at);
  await trx
    .updateTable('monitor_state')
    .set({ rolled_up_until: rolledUpUntil })
    .where('monitor', '=', monitor)
    .execute();
  const late = { at, failed };
  const regions = isLate ? { ...one.state.regions, [region]: { ...view, late } } : one.state.regions;
  // A result that arrived in time makes the monitor observed again. After a late result, the monitor stays unobserved
  // until a result arrives in time.
  one.state = { ...one.state, regions, rolledUpUntil, ...(!isLate && { blindSince: null }) };
  return true;
}
