import type { MonitorStatus } from '@uptime/sdk/contract';
import type { AliasedRawBuilder, NotNull, Transaction } from 'kysely';
import { durationOf, isRoutine, observePing, type Ping, type PingTimes, timesAfter } from '../core/heartbeat.ts';
import { storedState } from '../store/monitor-state-row.ts';
import { prepareForRows } from '../store/prepared.ts';
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
 * Records pings, in order, in a transaction that is committed before they are answered. Resolves with an answer for
 * each.
 */
export type RecordAllPings = (trx: Transaction<Tables>, pings: readonly ReceivedPing[]) => Promise<PingAnswer[]>;

/** Whether to record the pings that begin or end an outage. */
export interface NewsOptions {
  /**
   * If true, a ping that begins or ends an outage is not recorded, and later pings of its heartbeat are not either.
   * Their answers are null.
   */
  leave?: boolean;
  /** More heartbeats whose pings are not recorded, by token. */
  left?: { has(token: string): boolean };
  /**
   * Called after each recorded ping that begins or ends an outage; returns whether to stop. Later pings get no answer.
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

/** The part of a heartbeat that a routine ping needs: see `isRoutine` in core/heartbeat.ts. */
interface Heartbeat {
  monitor: number;
  status: MonitorStatus;
  allowedSilenceMs: number;
  times: PingTimes;
}

/**
 * Creates the function that records pings and all that follows from them: on SQLite, plain pings are recorded together,
 * and the others one by one.
 */
export function createRecordAllPings(store: Store): RecordAllPings {
  const recordSome = createRecordSomePings(store);
  return async (trx, pings) => {
    const answers = await recordSome(trx, pings, {});
    return answers.map((answer) => answer ?? nothingNew);
  };
}

/** Creates a function that records pings, and may stop before the last one. */
export function createRecordSomePings(store: Store): RecordSomePings {
  const recordEach = createRecordEachPing(store);
  if (store.dialect.name !== 'sqlite') return recordEach;
  const recordPlain = createRecordPlainPings(store);

  return async (trx, pings, options) => {
    // With `isEnough`, recording may stop before the last ping. So all pings are recorded in order, plain ones too.
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

/** Returns the pings of heartbeats that get only plain pings. So the pings of one heartbeat stay in order. */
function plainOf(pings: readonly ReceivedPing[]): readonly ReceivedPing[] {
  if (pings.every(isPlain)) return pings;
  const notPlain = new Set(pings.filter((ping) => !isPlain(ping)).map(({ token }) => token));
  return pings.filter(({ token }) => !notPlain.has(token));
}

const isPlain = ({ kind, exitCode, metrics }: ReceivedPing): boolean =>
  kind === 'success' && exitCode === null && metrics === null;

const nothingNew: PingAnswer = { known: true, transition: null };

/**
 * Records pings of any kind. Three statements serve all the routine ones, however many there are:
 * 1. Load their heartbeats.
 * 2. Apply each ping to its heartbeat. The beginning or end of an outage is written at once.
 * 3. Store the pings, and the heartbeats' new times.
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
        // Reads find a duration only if the ping has metrics. So a ping that ends a run gets empty metrics if it has
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
    if (rows.length > 0) await statements.insertPings(trx, rows);
    if (routine.size > 0) await statements.setTimes(trx, Array.from(routine, toTimesRow));
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

/** The statements of the hot path, built once. */
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
        // Every monitor with a token is a heartbeat, and has this value.
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
