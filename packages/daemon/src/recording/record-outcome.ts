import type { MonitorFields } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type { CheckOutcome } from '../checks/check.ts';
import type { MonitorState, Step } from '../core/monitor-state.ts';
import { bucketOf } from '../core/response-histogram.ts';
import { followingCheckAt, phaseOf, retryDelay } from '../core/schedule.ts';
import { hourMs } from '../core/uptime.ts';
import { observeCheck } from '../core/verdict.ts';
import { type StateColumns, storedState, stateToRow } from '../store/monitor-state-row.ts';
import { prepare } from '../store/prepared.ts';
import { resultCode } from '../store/result-code.ts';
import type { Store } from '../store/store.ts';
import type { MonitorStateRow, ResultDetailTable, ResultTable, Tables } from '../store/tables.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { type RecordedTransition, moveState } from './move-state.ts';

/** A finished check to record. */
export interface FinishedCheck {
  monitor: number;
  region: number;
  /** The monitor's generation at the check. If the target was edited since, the result is ignored. */
  generation: number;
  fields: Pick<MonitorFields, 'interval'>;
  /** When it was due, or began if that was much later, in epoch milliseconds: see `roundOf` in core/schedule. */
  begun: number;
  /** When it ended. */
  at: number;
  outcome: CheckOutcome;
  /** Whether a user asked for it. Then it counts for no round, and does not change when the next is due. */
  asked: boolean;
  /**
   * The state of a check of the same monitor that began later. It holds the claim now, and once it is over, its result
   * is the latest. An asked check has `none` while it holds the claim.
   */
  later: 'none' | 'running' | 'over';
  /** Whether a later check has passed already. Then this result is ignored, but the schedule still follows it. */
  overtaken: boolean;
  /** Since when this process has watched without a gap. */
  observingSince: number;
}

/** Records one check in a transaction. Resolves with the change of status, if there was one. */
export type RecordOutcome = (trx: Transaction<Tables>, check: FinishedCheck) => Promise<RecordedTransition | null>;

/**
 * Creates the function that records checks. One transaction stores the result, its share of the hour, the verdict with
 * all that follows from it, and when the next check is due. A fault of the checker itself leaves no result and is
 * retried soon.
 */
export function createOutcomeRecording(
  store: Store,
  regionName: string,
  /** Converts a time that was read earlier to the present timeline. */
  renew: (at: number) => number = (at) => at,
): RecordOutcome {
  const statements = prepareStatements(store);
  const detailsOf = ({ statusCode, responseTime }: CheckOutcome) => ({
    statusCode: statusCode ?? 0,
    responseTime: responseTime ?? 0,
    region: regionName,
  });

  return async (trx, finished) => {
    const { monitor, region, outcome, later, asked } = finished;
    const holdsClaim = later === 'none';
    const [row] = await statements.loadState(trx, { monitor });
    const [current] = await statements.loadGeneration(trx, { monitor });
    if (!current || !row) return null;
    // The row is locked, so from here on the timeline does not step.
    const check = onTimeline(finished, renew(finished.at) - finished.at);
    const { at, begun } = check;

    const state = storedState(row);
    if (current.generation !== check.generation || state.status === 'paused') {
      // The monitor was edited or paused during the check. So the result is about something else, and the schedule is
      // set already.
      if (holdsClaim) await statements.release(trx, { monitor, region });
      return null;
    }
    const interval = check.fields.interval * 1000;
    if (outcome.verdict === 'internal') {
      if (asked && holdsClaim) await statements.release(trx, { monitor, region });
      if (asked || later === 'over') return null;
      const blindSince = state.blindSince ?? at;
      await statements.setBlind(trx, { monitor, blindSince });
      const nextAt = at + retryDelay(at - blindSince, interval);
      if (holdsClaim) await statements.setNext(trx, { monitor, region, nextAt });
      return null;
    }

    await insertResult(trx, check);
    if (later === 'over') return null;
    const transition = check.overtaken ? null : await judge(trx, check, row, state);
    if (asked) {
      if (holdsClaim) await statements.release(trx, { monitor, region });
      return transition;
    }
    const failed = outcome.verdict === 'down';
    const nextAt = followingCheckAt({ begun, at, failed }, interval, phaseOf(monitor, region, interval));
    if (holdsClaim) await statements.setNext(trx, { monitor, region, nextAt });
    else await statements.moveNext(trx, { monitor, region, nextAt });
    return transition;
  };

  /** Applies the result to the monitor's state, with all that follows from it. */
  async function judge(
    trx: Transaction<Tables>,
    check: FinishedCheck,
    row: Pick<MonitorStateRow, 'certificate'>,
    state: MonitorState & { accountedUntil: number },
  ): Promise<RecordedTransition | null> {
    const { monitor, region, begun, at, asked, outcome, observingSince } = check;
    const error = outcome.verdict === 'down' ? outcome.error : null;
    const interval = check.fields.interval * 1000;
    const step = observeCheck(state, { region, begun, at, asked, error }, { intervalMs: interval, observingSince });
    const transition = await moveOn(trx, check, state, step);
    const seen = outcome.certificate && JSON.stringify(outcome.certificate);
    const renewed = seen !== null && seen !== row.certificate;
    if (renewed) await statements.setCertificate(trx, { monitor, seen });
    const failed = step.state.status === 'down' && step.state.failures > state.failures;
    if (transition || failed || renewed) await reviewAlerts(trx, monitor, { at, failed, details: detailsOf(outcome) });
    return transition;
  }

  async function insertResult(
    trx: Transaction<Tables>,
    { monitor, region, at, outcome }: FinishedCheck,
  ): Promise<void> {
    const error = outcome.verdict === 'up' ? null : outcome.error;
    const tenths = outcome.responseTime === null ? null : Math.round(outcome.responseTime * 10);
    const hour = Math.floor(at / hourMs);
    const { timings } = outcome;
    await statements.insertResult(trx, {
      monitor,
      at,
      region,
      code: resultCode(error?.code ?? null, outcome.statusCode),
      tenths,
    });
    if (error || timings) {
      const phases =
        timings && JSON.stringify([timings.dns, timings.connect, timings.tls, timings.firstByte, timings.download]);
      await statements.insertDetail(trx, {
        monitor,
        at,
        region,
        error_message: error?.message ?? null,
        timings: phases,
      });
    }
    const failed = error ? 1 : 0;
    await statements.countCheck(trx, { monitor, hour, region, failed, tenths: failed ? 0 : (tenths ?? 0) });
    if (!failed && tenths !== null)
      await statements.countBucket(trx, { monitor, hour, bucket: bucketOf(tenths), tenths });
  }

  /** The common case, a check that changes no status, is one statement. */
  async function moveOn(
    trx: Transaction<Tables>,
    { monitor, at }: FinishedCheck,
    before: MonitorState & { accountedUntil: number },
    step: Step,
  ) {
    if (step.transition || before.blindSince !== null) return moveState(trx, monitor, before, step);
    const { failures, failing_since, regions, error_code, error_message } = stateToRow(step.state);
    await statements.setState(trx, { monitor, failures, failing_since, regions, error_code, error_message, at });
    return null;
  }
}

const onTimeline = (check: FinishedCheck, byMs: number): FinishedCheck =>
  byMs === 0
    ? check
    : { ...check, at: check.at + byMs, begun: check.begun + byMs, observingSince: check.observingSince + byMs };

/** The statements of the hot path, built once. */
function prepareStatements(store: Store) {
  return {
    // Two selects. Joined in one, better-sqlite3 would take five times as long as for both.
    loadGeneration: prepare(store, (db, p: { monitor: number }) =>
      db.selectFrom('monitor').select('generation').where('seq', '=', p.monitor),
    ),
    // Locked, because otherwise another region's result, or an edit, would be overwritten. So it comes before the
    // generation.
    loadState: prepare(store, (db, p: { monitor: number }) =>
      db.selectFrom('monitor_state').selectAll().where('monitor', '=', p.monitor).modifyEnd(store.dialect.forUpdate),
    ),
    insertResult: prepare(store, (db, p: ResultTable) =>
      db
        .insertInto('result')
        .values({ monitor: p.monitor, at: p.at, region: p.region, code: p.code, tenths: p.tenths })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    insertDetail: prepare(store, (db, p: ResultDetailTable) =>
      db
        .insertInto('result_detail')
        .values({ monitor: p.monitor, at: p.at, region: p.region, error_message: p.error_message, timings: p.timings })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    countCheck: prepare(
      store,
      (db, p: { monitor: number; hour: number; region: number; failed: number; tenths: number }) =>
        db
          .insertInto('check_hour')
          .values({
            monitor: p.monitor,
            hour: p.hour,
            region: p.region,
            checks: 1,
            failed: p.failed,
            tenths_sum: p.tenths,
          })
          .onConflict((conflict) =>
            conflict.columns(['monitor', 'hour', 'region']).doUpdateSet((set) => ({
              checks: set('check_hour.checks', '+', set.ref('excluded.checks')),
              failed: set('check_hour.failed', '+', set.ref('excluded.failed')),
              tenths_sum: set('check_hour.tenths_sum', '+', set.ref('excluded.tenths_sum')),
            })),
          ),
    ),
    countBucket: prepare(store, (db, p: { monitor: number; hour: number; bucket: number; tenths: number }) =>
      db
        .insertInto('response_histogram')
        .values({ monitor: p.monitor, hour: p.hour, bucket: p.bucket, count: 1, tenths_sum: p.tenths })
        .onConflict((conflict) =>
          conflict.columns(['monitor', 'hour', 'bucket']).doUpdateSet((set) => ({
            count: set('response_histogram.count', '+', set.ref('excluded.count')),
            tenths_sum: set('response_histogram.tenths_sum', '+', set.ref('excluded.tenths_sum')),
          })),
        ),
    ),
    setState: prepare(
      store,
      (
        db,
        p: Pick<StateColumns, 'failures' | 'failing_since' | 'regions' | 'error_code' | 'error_message'> & {
          monitor: number;
          at: number;
        },
      ) =>
        db
          .updateTable('monitor_state')
          .set({
            failures: p.failures,
            failing_since: p.failing_since,
            regions: p.regions,
            error_code: p.error_code,
            error_message: p.error_message,
            last_checked_at: p.at,
          })
          .where('monitor', '=', p.monitor),
    ),
    setBlind: prepare(store, (db, p: { monitor: number; blindSince: number }) =>
      db.updateTable('monitor_state').set({ blind_since: p.blindSince }).where('monitor', '=', p.monitor),
    ),
    setCertificate: prepare(store, (db, p: { monitor: number; seen: string }) =>
      db.updateTable('monitor_state').set({ certificate: p.seen }).where('monitor', '=', p.monitor),
    ),
    /** Gives the claim back and sets when the monitor is due next. */
    setNext: prepare(store, (db, p: { monitor: number; region: number; nextAt: number }) =>
      db
        .updateTable('schedule')
        .set({ lease_until: 0, next_at: p.nextAt })
        .where('monitor', '=', p.monitor)
        .where('region', '=', p.region),
    ),
    /** Sets when the monitor is due next, and leaves the claim to the check that holds it. */
    moveNext: prepare(store, (db, p: { monitor: number; region: number; nextAt: number }) =>
      db
        .updateTable('schedule')
        .set({ next_at: p.nextAt })
        .where('monitor', '=', p.monitor)
        .where('region', '=', p.region)
        .where('next_at', '<', p.nextAt),
    ),
    /** Gives the claim back. */
    release: prepare(store, (db, p: { monitor: number; region: number }) =>
      db
        .updateTable('schedule')
        .set({ lease_until: 0 })
        .where('monitor', '=', p.monitor)
        .where('region', '=', p.region),
    ),
  };
}
