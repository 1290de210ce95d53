import type { MonitorStatus } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { isAfterSilence, lateTimes, mayStillReport } from '../core/late-time.ts';
import type { Thinned } from '../core/thin-runs.ts';
import { addUnobserved, coverUnobserved, decideUnobserved, noteShown } from '../core/unobserved-times.ts';
import type { RolledUp, StoredState } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';
import { rollUpTime } from './roll-up-time.ts';

/** A result of a probe. */
interface ProbeCheck {
  monitor: number;
  region: number;
  at: number;
  /** When the result arrived, in epoch milliseconds. */
  now: number;
  outcome: { verdict: 'up' | 'down' | 'internal' };
  isLate: boolean;
  thinned: Thinned | null;
  intervalMs: number;
}

/**
 * Rolls up the time before a probe's result that arrived late, or that ends a silence of its region. Until now it was
 * unknown whether the monitor was up in that time. Changes `one.state`, and resolves with whether the caller has to
 * write that state.
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
  if (!isLate && !isAfterSilence(before, check, check.intervalMs)) {
    const unobserved = await rollUpDecided(trx, check, before);
    if (unobserved === before.unobserved) return false;
    one.state = { ...before, unobserved };
    await store(trx, check.monitor, one.state);
    // The times are already written, so the caller need not write the state.
    return false;
  }
  const { rolledUp, isLatest } = await rollUpBefore(trx, check, before);
  one.state = { ...before, ...rolledUp };
  if (isLate) {
    const late = view.late && view.late.at > at ? view.late : { at, failed: outcome.verdict === 'down' };
    one.state = { ...one.state, regions: { ...before.regions, [region]: { ...view, late } } };
  } else if (isLatest) {
    // A result that arrived in time makes the monitor observed again. After a late result, the monitor stays unobserved
    // until a result arrives in time.
    one.state = { ...one.state, unobservedSince: null };
  }
  return true;
}

/**
 * Rolls up the time before a result, as far as the status of the monitor in that time is known. If the result is the
 * latest of the monitor, the rollups continue at the time of the result, and the unknown times before it are noted as
 * unobserved.
 */
async function rollUpBefore(trx: Transaction<Tables>, check: ProbeCheck, state: StoredState) {
  const { monitor, region, at, outcome, thinned, intervalMs } = check;
  const { kept, shown } = lateTimes(state, { region, at, failed: outcome.verdict === 'down', thinned }, intervalMs);
  let { rolledUpUntil, unobserved } = state;
  const add = (status: MonitorStatus, from: number, until: number) => addTime(trx, monitor, { status, from, until });
  if (kept) {
    await add(state.status, rolledUpUntil, kept.until);
    unobserved = addUnobserved(unobserved, { from: Math.max(rolledUpUntil, kept.until), until: at });
    rolledUpUntil = Math.max(rolledUpUntil, at);
  }
  if (shown) unobserved = noteShown(unobserved, shown);
  if (kept) {
    const { covered, rest } = coverUnobserved(unobserved, kept);
    for (const { from, until } of covered) await add(state.status, from, until);
    unobserved = rest;
  }
  const rest = await rollUpDecided(trx, check, { ...state, unobserved });
  const rolledUp = { rolledUpUntil, unobserved: rest };
  if (rolledUpUntil !== state.rolledUpUntil || rest !== state.unobserved) await store(trx, monitor, rolledUp);
  return { rolledUp, isLatest: kept !== null };
}

/**
 * Rolls up the unobserved times whose status no other region can change any more. Resolves with the times that stay
 * unobserved.
 */
async function rollUpDecided(
  trx: Transaction<Tables>,
  check: ProbeCheck,
  state: Pick<StoredState, 'regions' | 'unobserved'>,
): Promise<StoredState['unobserved']> {
  const { decided, rest } = decideUnobserved(state.unobserved, (time) => mayStillReport(state, time, check));
  for (const time of decided) await addTime(trx, check.monitor, time);
  return rest;
}

const addTime = (
  trx: Transaction<Tables>,
  monitor: number,
  { status, from, until }: { status: MonitorStatus; from: number; until: number },
) => rollUpTime(trx, monitor, { status, unobservedSince: null, rolledUpUntil: from }, until);

async function store(trx: Transaction<Tables>, monitor: number, rolledUp: RolledUp): Promise<void> {
  await trx
    .updateTable('monitor_state')
    .set({ rolled_up_until: rolledUp.rolledUpUntil, unobserved: JSON.stringify(rolledUp.unobserved) })
    .where('monitor', '=', monitor)
    .execute();
}
