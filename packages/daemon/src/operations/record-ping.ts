import type { MonitorFields } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { observePing } from '../core/heartbeat.ts';
import type { MonitorState } from '../core/monitor-state.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import { prepare } from '../store/prepared.ts';
import type { Store } from '../store/store.ts';
import type { NewPing, Tables } from '../store/tables.ts';
import { heartbeatRules } from './monitor-fields.ts';
import { type RecordedTransition, moveState } from './move-state.ts';

/** A ping as it came in. */
export interface ReceivedPing {
  token: string;
  kind: 'success' | 'failure' | 'start';
  exitCode: number | null;
  /** Metrics as JSON, validated. */
  metrics: string | null;
  /** Epoch milliseconds. */
  at: number;
}

export type PingAnswer = { known: false } | { known: true; transition: RecordedTransition | null };

/** Records one ping in a transaction that is committed before the ping is answered. */
export type RecordPing = (trx: Transaction<Tables>, ping: ReceivedPing) => Promise<PingAnswer>;

/** What records pings and all that follows from them. */
export function createPingRecording(store: Store): RecordPing {
  const statements = prepareStatements(store);

  return async (trx, ping) => {
    const [known] = await statements.findByToken(trx, { token: ping.token });
    if (!known) return { known: false };
    const monitor = known.seq;
    const [row] = await statements.loadState(trx, { monitor });
    if (!row) throw new Error(`monitor ${monitor} has no state`);

    const state = { ...stateFromRow(row), accountedUntil: row.accounted_until };
    const fields = JSON.parse(known.config) as MonitorFields<'heartbeat'>;
    const step = observePing(state, ping, heartbeatRules(fields));
    await statements.insertPing(trx, {
      monitor,
      at: ping.at,
      kind: ping.kind,
      exit_code: ping.exitCode,
      duration_ms: step.duration,
      metrics: ping.metrics,
    });
    if (step.transition || state.status === 'down')
      return { known: true, transition: await moveState(trx, monitor, state, step) };
    // The common case, a ping that changes no status, touches these alone. Down already: the reason may be another.
    const { lastPingAt, lastCheckedAt, runStartedAt, pingDueAt } = step.state;
    await statements.setPinged(trx, { monitor, lastPingAt, lastCheckedAt, runStartedAt, pingDueAt });
    return { known: true, transition: null };
  };
}

/** The statements of the hot path, built once. */
function prepareStatements(store: Store) {
  return {
    // Two selects: joined in one, better-sqlite3 takes five times as long as for both.
    findByToken: prepare(store, (db, p: { token: string }) =>
      db.selectFrom('monitor').select(['seq', 'config']).where('token', '=', p.token),
    ),
    loadState: prepare(store, (db, p: { monitor: number }) =>
      db.selectFrom('monitor_state').selectAll().where('monitor', '=', p.monitor),
    ),
    insertPing: prepare(store, (db, p: Required<Omit<NewPing, 'id'>>) =>
      db.insertInto('ping').values({
        monitor: p.monitor,
        at: p.at,
        kind: p.kind,
        exit_code: p.exit_code,
        duration_ms: p.duration_ms,
        metrics: p.metrics,
      }),
    ),
    setPinged: prepare(
      store,
      (
        db,
        p: Pick<MonitorState, 'lastPingAt' | 'lastCheckedAt' | 'runStartedAt' | 'pingDueAt'> & { monitor: number },
      ) =>
        db
          .updateTable('monitor_state')
          .set({
            last_ping_at: p.lastPingAt,
            last_checked_at: p.lastCheckedAt,
            run_started_at: p.runStartedAt,
            ping_due_at: p.pingDueAt,
          })
          .where('monitor', '=', p.monitor),
    ),
  };
}
