import type { MonitorFields } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { CheckOutcome } from '../checks/check.ts';
import { bucketOf } from '../core/response-histogram.ts';
import { nextCheckAt, phaseOf, retryDelay } from '../core/schedule.ts';
import { hourMs } from '../core/uptime.ts';
import { observeCheck } from '../core/verdict.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import { resultCode } from '../store/result-code.ts';
import type { Tables } from '../store/tables.ts';
import { type RecordedTransition, moveState } from './move-state.ts';

/** A check that is over and has to be written down. */
export interface FinishedCheck {
  monitor: number;
  region: number;
  /** What the monitor was when it was checked: if what is checked was edited since, this is no evidence. */
  generation: number;
  fields: Pick<MonitorFields, 'interval'>;
  /** Epoch milliseconds at which the check was over. */
  at: number;
  outcome: CheckOutcome;
  /** Since when this process watches without a gap, in epoch milliseconds. */
  observingSince: number;
}

/**
 * Records a check: its result, what it adds to the hour, the verdict with all that follows from it, and when the next
 * one is due. One transaction; a fault of the checker itself leaves no result and is tried again soon.
 */
export async function recordOutcome(
  trx: Transaction<Tables>,
  check: FinishedCheck,
): Promise<RecordedTransition | null> {
  const row = await trx
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
    .where('monitor.seq', '=', check.monitor)
    .selectAll('monitor_state')
    .select('monitor.generation')
    .executeTakeFirst();
  if (!row) return null;

  const interval = check.fields.interval * 1000;
  const state = { ...stateFromRow(row), accountedUntil: row.accounted_until };
  if (row.generation !== check.generation || state.status === 'paused') {
    // Edited or paused while the check ran: its result is about something else, and the schedule is set already.
    await release(trx, check, null);
    return null;
  }

  if (check.outcome.verdict === 'internal') {
    const blindSince = state.blindSince ?? check.at;
    await trx
      .updateTable('monitor_state')
      .set({ blind_since: blindSince })
      .where('monitor', '=', check.monitor)
      .execute();
    await release(trx, check, check.at + retryDelay(check.at - blindSince));
    return null;
  }

  await insertResult(trx, check);
  const error = check.outcome.verdict === 'down' ? check.outcome.error : null;
  const step = observeCheck(
    state,
    { region: check.region, at: check.at, error },
    { interval, observingSince: check.observingSince },
  );
  const transition = await moveState(trx, check.monitor, state, step);
  if (check.outcome.certificate) await keepCertificate(trx, check, row.certificate);
  await release(trx, check, nextCheckAt(check.at, interval, phaseOf(check.monitor, check.region, interval)));
  return transition;
}

async function insertResult(trx: Transaction<Tables>, check: FinishedCheck): Promise<void> {
  const { monitor, region, at, outcome } = check;
  const passed = outcome.verdict === 'up';
  const error = passed ? null : outcome.error;
  const tenths = outcome.responseTime === null ? null : Math.round(outcome.responseTime * 10);
  const hour = Math.floor(at / hourMs);

  await trx
    .insertInto('result')
    .values({ monitor, at, region, code: resultCode(error?.code ?? null, outcome.statusCode), tenths })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (error || outcome.timings) {
    const { timings } = outcome;
    await trx
      .insertInto('result_detail')
      .values({
        monitor,
        at,
        region,
        error_message: error?.message ?? null,
        timings:
          timings && JSON.stringify([timings.dns, timings.connect, timings.tls, timings.firstByte, timings.download]),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await trx
    .insertInto('check_hour')
    .values({ monitor, hour, region, checks: 1, failed: passed ? 0 : 1, tenths_sum: passed ? (tenths ?? 0) : 0 })
    .onConflict((conflict) =>
      conflict.columns(['monitor', 'hour', 'region']).doUpdateSet((set) => ({
        checks: set('check_hour.checks', '+', 1),
        failed: set('check_hour.failed', '+', passed ? 0 : 1),
        tenths_sum: set('check_hour.tenths_sum', '+', passed ? (tenths ?? 0) : 0),
      })),
    )
    .execute();
  if (passed && tenths !== null) {
    await trx
      .insertInto('response_histogram')
      .values({ monitor, hour, bucket: bucketOf(tenths), count: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['monitor', 'hour', 'bucket'])
          .doUpdateSet((set) => ({ count: set('response_histogram.count', '+', 1) })),
      )
      .execute();
  }
}

async function keepCertificate(trx: Transaction<Tables>, check: FinishedCheck, stored: string | null): Promise<void> {
  const seen = JSON.stringify(check.outcome.certificate);
  if (seen === stored) return;
  await trx.updateTable('monitor_state').set({ certificate: seen }).where('monitor', '=', check.monitor).execute();
}

/** Gives the claim back; with a time, sets when the monitor is due next. */
async function release(trx: Transaction<Tables>, check: FinishedCheck, nextAt: number | null): Promise<void> {
  await trx
    .updateTable('schedule')
    .set(nextAt === null ? { lease_until: 0 } : { lease_until: 0, next_at: nextAt })
    .where('monitor', '=', check.monitor)
    .where('region', '=', check.region)
    .execute();
}
