import type { Transaction } from 'kysely';
import { isAfterSilence, lateTimes, mayStillReport } from '../core/late-time.ts';
import type { Thinned } from '../core/thin-runs.ts';
import { addUnobserved, coverUnobserved, decideUnobserved, noteShown } from '../core/unobserved-times.ts';
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
  const { region, at, outcome, isLate } = check;
  const before = one.state;
  const view = before.regions[region];
  if (!view || before.status === 'paused') return false;
  if (!isLate && !isAfterSilence(before, check, check.intervalMs)) return false;
  const { rolledUp, isLatest } = await rollUpBefore(trx, check, before);
  one.state = { ...before, ...rolledUp };
  if (isLate) {
    const late = view.late && view.late.at > at ? view.late : { at, failed: outcome.verdict === 'down' };
    one.state = { ...one.state, regions: { ...before.regions, [region]: { ...view, late } } };
  } else if (isLatest) {
    // A result that arrived in time makes the monitor observed again. After a late result, the monitor stays unobserved
    // until a result arrives in time.
    one.state = { ...one.state, blindSince: null };
  }
  return true;
}

/**
 * Rolls up the times before a result in which the status of the monitor is known. If the result is the latest of the
 * monitor, the rollups continue at its time, and the unknown times before it are noted as unobserved.
 */
async function rollUpBefore(trx: Transaction<Tables>, check: ProbeCheck, state: StoredState) {
  const { monitor, region, at, outcome, thinned, intervalMs } = check;
  const { kept, shown } = lateTimes(state, { region, at, failed: outcome.verdict === 'down', thinned }, intervalMs);
  let { rolledUpUntil, unobserved } = state;
  const add = (status: StoredState['status'], from: number, until: number) =>
    rollUpTime(trx, monitor, { status, blindSince: null, rolledUpUntil: from }, until);
  if (kept) {
    await add(state.status, rolledUpUntil, kept.until);
    const { covered, rest } = coverUnobserved(unobserved, kept);
    for (const { from, until } of covered) await add(state.status, from, until);
    unobserved = addUnobserved(rest, { from: Math.max(rolledUpUntil, kept.until), until: at });
    rolledUpUntil = Math.max(rolledUpUntil, at);
  }
  if (shown) unobserved = noteShown(unobserved, shown);
  const { decided, rest } = decideUnobserved(unobserved, (time) => mayStillReport(state, time, check));
  for (const { status, from, until } of decided) await add(status, from, until);
  const rolledUp = { rolledUpUntil, unobserved: rest };
  if (rolledUpUntil !== state.rolledUpUntil || rest !== state.unobserved)
    await trx
      .updateTable('monitor_state')
      .set({ rolled_up_until: rolledUpUntil, unobserved: JSON.stringify(rest) })
      .where('monitor', '=', monitor)
      .execute();
  return { rolledUp, isLatest: kept !== null };
}
