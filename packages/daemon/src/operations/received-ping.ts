import type { Transaction } from 'kysely';
import type { Ping } from '../core/heartbeat.ts';
import type { Tables } from '../store/tables.ts';
import type { RecordedTransition } from './move-state.ts';

/** A ping as it came in. */
export interface ReceivedPing extends Ping {
  token: string;
  /** Metrics as JSON, validated. */
  metrics: string | null;
}

export type PingAnswer = { known: false } | { known: true; transition: RecordedTransition | null };

/** Records pings, in order, in a transaction that is committed before they are answered: an answer for each. */
export type RecordPings = (trx: Transaction<Tables>, pings: readonly ReceivedPing[]) => Promise<PingAnswer[]>;
