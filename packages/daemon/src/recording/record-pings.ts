import type { MonitorStatus } from '@uptime/sdk/contract';
import type { AliasedRawBuilder, NotNull, Transaction } from 'kysely';
import { durationOf, isRoutine, observePing, type Ping, type PingTimes, timesAfter } from '../core/heartbeat.ts';
import { storedState } from '../store/monitor-state-row.ts';
import { inOneTrip, prepareForRows } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { NewPing, Tables } from '../store/tables.ts';
import { reviewAlerts } from '../alerting/review-alerts.ts';
import { type RecordedTransition, moveState } from './move-state.ts';
import { createRecordPlainPings } from './record-plain-pings.ts';

/** A ping as it arrived. */
export interface ReceivedPing extends Ping {
  token: string;
  /** Metrics as JSON, validated. */
  metrics: string | null;
}

export type PingAnswer = { known: false } | { known: true; transition: RecordedTransition | null };

/**
 * Records pings in order, and resolves with an answer for each. The answers may be sent only after the transaction is
 * committed.
 */
export type RecordAllPings = (trx: Transaction<Tables>, pings: readonly ReceivedPing[]) => Promise<PingAnswer[]>;

/** Says which pings are not recorded, and when recording stops early. */
export interface NewsOptions {
  /**
   * If true, a ping that begins or ends an outage is not recorded. Later pings of the same heartbeat are not recorded
   * either. The answer to each of these pings is null.
   */
  leave?: boolean;
  /** The tokens of other heartbeats whose pings are not recorded either. */
  left?: { has(token: string): boolean };
  /**
   * Called after each recorded ping that begins or ends an outage. If it returns true, recording stops, and later pings
   * get no answer.
   */
  isEnough?: () => boolean;
}

/**
 * Records pings. The answer is null for a ping that `options` leaves out. If `isEnough` ends the work early, the later
 * pings have no answers.
 */
export type RecordSomePings = (
  trx: Transaction<Tables>,
  pings: readonly ReceivedPing[],
  options: NewsOptions,
) => Promise<(PingAnswer | null)[]>;

/** The part of a heartbeat's state that is needed to record a routine ping (see `isRoutine` in core/heartbeat.ts). */
interface Heartbeat {
  monitor: number;
  status: MonitorStatus;
  allowedSilenceMs: number;
  times: PingTimes;
}

/**
 * Creates the function that records all given pings, together with the changes of status and the alerts that follow
 * from them.
 */
export function createRecordAllPings(store: Store): RecordAllPings {
  const recordSome = createRecordSomePings(store);
  return async (trx, pings) => {
    const answers = await recordSome(trx, pings, {});
    return answers.map((answer) => answer ?? nothingNew);
  };
}

/**
 * Creates the function that records pings, and leaves some out or stops early as `options` demand. On SQLite, it
 * records plain pings together, and all other pings one by one.
 */
export function createRecordSomePings(store: Store): RecordSomePings {
  const recordEach = createRecordEachPing(store);
  if (store.dialect.name !== 'sqlite') return recordEach;
  const recordPlain = createRecordPlainPings(store);

  return async (trx, pings, options) => {
    // With `isEnough`, recording may stop before the last ping. So all pings, even plain ones, are recorded in the
    // given order.
    if (options.isEnough) return recordEach(trx, pings, options);
    const plain = plainOf(pings).filter(({ token }) => !options.left?.has(token));
    const recorded = await recordPlain(trx, plain);
    if (recorded === pings.length) return pings.map(() => nothingNew);
    const done = new Set(plain.slice(0, recorded));
    const others = pings.filter((ping) => !done.has(ping));
    const answers = await recordEach(trx, others, options);
    const answerTo = new Map(others.map((ping, at) => [ping, answers[at]!]));
    return pings.map((ping) => (done.has(ping) ? nothingNew : answerTo.get(ping)!));
  };
}

/**
 * Returns the pings of those heartbeats for which all given pings are plain. So the pings of each heartbeat stay in
 * order.
 */
function plainOf(pings: readonly ReceivedPing[]): readonly ReceivedPing[] {
  if (pings.every(isPlain)) return pings;
  const notPlain = new Set(pings.filter((ping) => !isPlain(ping)).map(({ token }) => token));
  return pings.filter(({ token }) => !notPlain.has(token));
}

const isPlain = ({ kind, exitCode, metrics }: ReceivedPing): boolean =>
  kind === 'success' && exitCode === null && metrics === null;

const nothingNew: PingAnswer = { known: true, transition: null };

/**
 * Creates the function that records pings of any kind. It works in three steps:
 *
 * 1. One statement loads the heartbeats.
 * 2. Each ping is applied to its heartbeat in memory. The beginning or end of an outage is written at once.
 * 3. Two statements store the pings, and the new times of the heartbeats.
 */
function createRecordEachPing(store: Store): RecordSomePings {
  const statements = prepareStatements(store);

  return async (trx, pings, { leave = false, left, isEnough }) => {
    const tokens = new Set(pings.map(({ token }) => token));
    const loaded = await statements.load(
      trx,
      Array.from(tokens, (token) => ({ token })),
    );
    const heartbeats = new Map(loaded.map((row) => [row.token, fromRow(row)]));

    const answers: (PingAnswer | null)[] = [];
    const leftNow = new Set<string>();
    const rows: PingRow[] = [];
    const routine = new Set<Heartbeat>();
    for (const ping of pings) {
      const heartbeat = heartbeats.get(ping.token);
      if (!heartbeat) {
        answers.push({ known: false });
        continue;
      }
      const { monitor, status, times, allowedSilenceMs } = heartbeat;
      const routinely = isRoutine(status, ping);
      if ((leave && !routinely) || leftNow.has(ping.token) || left?.has(ping.token)) {
        leftNow.add(ping.token);
        answers.push(null);
        continue;
      }
      const duration = durationOf(times, ping);
      rows.push({
        monitor,
        at: ping.at,
        kind: ping.kind,
        exit_code: ping.exitCode,
        duration_ms: duration,
        // Queries for durations read only pings with metrics. So a ping that ends a run gets empty metrics if it has
        // none.
        metrics: ping.metrics ?? (duration === null ? null : '{}'),
      });
      if (routinely) {
        heartbeat.times = timesAfter(times, status, ping, allowedSilenceMs);
        routine.add(heartbeat);
        answers.push(nothingNew);
      } else {
        answers.push({ known: true, transition: await recordNews(trx, heartbeat, ping) });
        if (isEnough?.()) break;
      }
    }
    await inOneTrip(store, trx, (trip) =>
      Promise.all([
        rows.length > 0 && statements.insertPings(trip, rows),
        routine.size > 0 && statements.setTimes(trip, Array.from(routine, toTimesRow)),
      ]),
    );
    return answers;
  };
}

/** Records a ping that changes its heartbeat's status, or the reason why the heartbeat is down. */
async function recordNews(
  trx: Transaction<Tables>,
  heartbeat: Heartbeat,
  ping: Ping,
): Promise<RecordedTransition | null> {
  const { monitor, times, allowedSilenceMs } = heartbeat;
  const row = await trx
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor', '=', monitor)
    .executeTakeFirstOrThrow();
  const state = { ...storedState(row), ...times };
  const step = observePing(state, ping, allowedSilenceMs);
  heartbeat.status = step.state.status;
  const { lastPingAt, lastCheckedAt, runStartedAt, pingDueAt } = step.state;
  heartbeat.times = { lastPingAt, lastCheckedAt, runStartedAt, pingDueAt };
  const transition = await moveState(trx, monitor, state, step);
  if (transition) await reviewAlerts(trx, monitor, { at: ping.at });
  return transition;
}

type PingRow = Required<Omit<NewPing, 'id'>>;

interface TimesRow {
  monitor: number;
  last_ping_at: number | null;
  last_checked_at: number | null;
  run_started_at: number | null;
  ping_due_at: number | null;
}

const toTimesRow = ({ monitor, times }: Heartbeat): TimesRow => ({
  monitor,
  last_ping_at: times.lastPingAt,
  last_checked_at: times.lastCheckedAt,
  run_started_at: times.runStartedAt,
  ping_due_at: times.pingDueAt,
});

const fromRow = (row: TimesRow & Pick<Heartbeat, 'status'> & { allowed_silence_ms: number }): Heartbeat => ({
  monitor: row.monitor,
  status: row.status,
  allowedSilenceMs: row.allowed_silence_ms,
  times: {
    lastPingAt: row.last_ping_at,
    lastCheckedAt: row.last_checked_at,
    runStartedAt: row.run_started_at,
    pingDueAt: row.ping_due_at,
  },
});

/** The statements that record routine pings. They are built once, because nearly all pings are routine. */
function prepareStatements(store: Store) {
  return {
    load: prepareForRows(store, { token: 'text' }, (db, given: GivenTokens) =>
      db
        .selectFrom(given)
        .innerJoin('monitor', 'monitor.token', 'given.token')
        .innerJoin('monitor_state as state', 'state.monitor', 'monitor.seq')
        .select([
          'given.token',
          'state.monitor',
          'state.status',
          'state.allowed_silence_ms',
          'state.last_ping_at',
          'state.last_checked_at',
          'state.run_started_at',
          'state.ping_due_at',
        ])
        // Only heartbeats have a token, and each heartbeat has an `allowed_silence_ms`.
        .$narrowType<{ allowed_silence_ms: NotNull }>(),
    ),
    insertPings: prepareForRows<PingRow, unknown>(
      store,
      { monitor: 'long', at: 'long', kind: 'text', exit_code: 'integer', duration_ms: 'long', metrics: 'text' },
      (db, given) =>
        db
          .insertInto('ping')
          .columns(['monitor', 'at', 'kind', 'exit_code', 'duration_ms', 'metrics'])
          .expression(db.selectFrom(given).selectAll()),
    ),
    setTimes: prepareForRows<TimesRow, unknown>(
      store,
      { monitor: 'long', last_ping_at: 'long', last_checked_at: 'long', run_started_at: 'long', ping_due_at: 'long' },
      (db, given) =>
        db
          .updateTable('monitor_state')
          .from(given)
          .set((set) => ({
            last_ping_at: set.ref('given.last_ping_at'),
            last_checked_at: set.ref('given.last_checked_at'),
            run_started_at: set.ref('given.run_started_at'),
            ping_due_at: set.ref('given.ping_due_at'),
          }))
          .whereRef('monitor_state.monitor', '=', 'given.monitor'),
    ),
  };
}

type GivenTokens = AliasedRawBuilder<{ token: string }, 'given'>;
