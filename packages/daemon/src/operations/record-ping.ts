import type { MonitorFields } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { observePing } from '../core/heartbeat.ts';
import { stateFromRow } from '../store/monitor-state-row.ts';
import type { Tables } from '../store/tables.ts';
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

/** Records a ping and what follows from it; part of a transaction that is committed before the ping is answered. */
export async function recordPing(trx: Transaction<Tables>, ping: ReceivedPing): Promise<PingAnswer> {
  const row = await trx
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
    .where('monitor.token', '=', ping.token)
    .selectAll('monitor_state')
    .select('monitor.config')
    .executeTakeFirst();
  if (!row) return { known: false };

  const state = { ...stateFromRow(row), accountedUntil: row.accounted_until };
  const fields = JSON.parse(row.config) as MonitorFields<'heartbeat'>;
  const step = observePing(state, ping, heartbeatRules(fields));
  await trx
    .insertInto('ping')
    .values({
      monitor: row.monitor,
      at: ping.at,
      kind: ping.kind,
      exit_code: ping.exitCode,
      duration_ms: step.duration,
      metrics: ping.metrics,
    })
    .execute();
  return { known: true, transition: await moveState(trx, row.monitor, state, step) };
}
