import { isPassive, type NormalMonitor } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { newState, pause, reassign, reschedule, resume, retarget } from '../core/lifecycle.ts';
import type { MonitorState, Step } from '../core/monitor-state.ts';
import { storedState, stateToRow } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';
import { resolveAlertsOf } from '../alerting/resolve-alerts.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { changesTarget, allowedSilenceOf } from '../stored-monitors/monitor-fields.ts';
import { type RecordedTransition, moveState } from '../recording/move-state.ts';
import { assignedRegions } from './regions.ts';
import { watchDomain } from './watch-domain.ts';

/**
 * Creates the state and the schedule of a monitor whose row was just inserted. The first check of the monitor is due at
 * once.
 */
export async function initMonitor(
  trx: Transaction<Tables>,
  { seq, fields, now }: { seq: number; fields: NormalMonitor; now: number },
): Promise<void> {
  const regions = isPassive(fields) ? [] : await assignedRegions(trx, { monitor: seq, names: fields.regions, now });
  const allowedSilenceMs = allowedSilenceOf(fields);
  const state = newState(now, fields.paused, regions, allowedSilenceMs);
  await trx
    .insertInto('monitor_state')
    .values({
      monitor: seq,
      ...stateToRow(state),
      allowed_silence_ms: allowedSilenceMs,
      rolled_up_until: now,
      certificate: null,
      domain: null,
      expiry_review_at: null,
    })
    .execute();
  await watchDomain(trx, seq, fields, now);
  if (!fields.paused) await schedule(trx, seq, regions, now);
}

/**
 * Applies an edit of a monitor's fields to the monitor's state and schedule. The caller updates the row in `monitor`.
 */
export async function changeMonitor(
  trx: Transaction<Tables>,
  {
    seq,
    before,
    after,
    relimited = false,
    now,
  }: {
    seq: number;
    before: NormalMonitor;
    after: NormalMonitor;
    /** Whether the plan has just changed how many regions the monitor may have. */
    relimited?: boolean;
    now: number;
  },
): Promise<RecordedTransition | null> {
  const row = await trx.selectFrom('monitor_state').selectAll().where('monitor', '=', seq).executeTakeFirstOrThrow();
  const old = storedState(row);
  const allowedSilenceMs = allowedSilenceOf(after);
  const edited = changesTarget(before, after);
  const moved = relimited || JSON.stringify(before.regions) !== JSON.stringify(after.regions);
  const repaced = before.interval !== after.interval;
  const resumed = before.paused && !after.paused;
  if (edited || moved || repaced || resumed) {
    // A running check has the old fields, or began before the pause. Because of the new generation, its result changes
    // neither the monitor's status nor the due time of the next check. If a probe ran the check and the target is still
    // the same, the result enters the history. If the daemon itself ran the check, it drops the result.
    await trx
      .updateTable('monitor')
      .set((set) => ({
        generation: set('generation', '+', 1),
        ...((edited || resumed) && { target_generation: set('generation', '+', 1) }),
      }))
      .where('seq', '=', seq)
      .execute();
  }
  if (edited && row.certificate !== null) {
    await trx.updateTable('monitor_state').set({ certificate: null }).where('monitor', '=', seq).execute();
  }

  if (edited) await watchDomain(trx, seq, after, now);

  let state: MonitorState = old;
  // A monitor that named no regions before the edit keeps its present regions, as far as its plan allows.
  const has = before.regions.length === 0 ? regionsOf(old) : [];
  const assigned = { monitor: seq, names: after.regions, has, now };
  if (moved && !isPassive(after)) state = reassign(state, await assignedRegions(trx, assigned));
  if (edited) state = retarget(state, now);
  const allowedSilenceBeforeMs = allowedSilenceOf(before);
  if (allowedSilenceMs !== null && allowedSilenceBeforeMs !== null && allowedSilenceMs !== allowedSilenceBeforeMs) {
    await trx
      .updateTable('monitor_state')
      .set({ allowed_silence_ms: allowedSilenceMs })
      .where('monitor', '=', seq)
      .execute();
    state = reschedule(state, allowedSilenceMs - allowedSilenceBeforeMs);
  }
  let step: Step = { state, transition: null };
  if (after.paused && !before.paused) step = pause(state, now);
  if (resumed) step = resume(state, now, allowedSilenceMs);

  const transition = await moveState(trx, seq, old, step);
  if (after.paused) await trx.deleteFrom('schedule').where('monitor', '=', seq).execute();
  else if (edited || moved || repaced || resumed) await schedule(trx, seq, regionsOf(step.state), now);
  await reviewAlerts(trx, seq, { at: now });
  return transition;
}

const regionsOf = (state: MonitorState): number[] => Object.keys(state.regions).map(Number);

/** Deletes monitors. They may have many results, so a loop deletes their results later, in batches. */
export async function removeMonitors(trx: Transaction<Tables>, seqs: readonly number[], now: number): Promise<void> {
  for (const seq of seqs) {
    await resolveAlertsOf(trx, seq, now);
    await trx
      .updateTable('outage')
      .set({ closed_at: now, close_reason: 'deleted' })
      .where('monitor', '=', seq)
      .where('closed_at', 'is', null)
      .execute();
    await trx
      .insertInto('purge')
      .columns(['monitor', 'created_at'])
      // If a history was imported, the monitor has results from before its creation. Then the deletion of results has
      // to begin at the start of that history.
      .expression(
        trx
          .selectFrom('monitor')
          .leftJoin('imported_history', 'imported_history.monitor', 'monitor.seq')
          .select((row) => ['seq', row.fn.coalesce('from_at', 'created_at').as('created_at')])
          .where('seq', '=', seq),
      )
      .execute();
    await trx.deleteFrom('monitor').where('seq', '=', seq).execute();
  }
}

/**
 * Makes a monitor due now in exactly these regions. The claims of running checks are cleared, so the new checks do not
 * wait for the running checks.
 */
async function schedule(
  trx: Transaction<Tables>,
  monitor: number,
  regions: readonly number[],
  now: number,
): Promise<void> {
  let gone = trx.deleteFrom('schedule').where('monitor', '=', monitor);
  if (regions.length > 0) gone = gone.where('region', 'not in', regions);
  await gone.execute();
  for (const region of regions) {
    await trx
      .insertInto('schedule')
      .values({
        monitor,
        region,
        next_at: now,
        lease_until: 0,
        project: trx.selectFrom('monitor').select('project_id').where('seq', '=', monitor),
      })
      .onConflict((conflict) => conflict.columns(['monitor', 'region']).doUpdateSet({ next_at: now, lease_until: 0 }))
      .execute();
  }
}
