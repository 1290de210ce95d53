import type { Generated, Selectable } from 'kysely';

/** A token that allows probes to check for one region. */
export interface ProbeTokenTable {
  id: string;
  region: number;
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  digest: string;
  created_at: number;
}

/** A probe, as it last reported. */
export interface ProbeTable {
  /** A digest of the name that the probe sends: see core/probe-name.ts. */
  name: string;
  token: string;
  region: number;
  version: string;
  /** The random name of the process that joined last: see probe-protocol.ts. Null if it sent none. */
  run: string | null;
  first_seen_at: number;
  seen_at: number;
  /**
   * The number of the latest result that the server has processed. If the probe sends results up to this number again,
   * the server ignores them.
   */
  applied: Generated<number>;
  /**
   * When the check of the latest recorded result ended. If the probe later sends a result whose check ended well before
   * that, the server does not accept the result.
   */
  applied_at: Generated<number>;
  /** How many results the probe has not sent yet. */
  queued: number;
  /** When the check of the oldest of these unsent results ended; null without unsent results. */
  oldest_at: number | null;
  /** How far the clock of the probe's machine is ahead of the server's clock. Negative if it is behind. */
  skew_ms: number | null;
  /** Why the probe cannot check now; null if it can. */
  fault: string | null;
  /** When the probe last reported that most of its checks give no verdict; null if it never did. */
  failed_at: Generated<number | null>;
  /** When the probe stopped on purpose; null while it runs, and after a crash. */
  left_at: Generated<number | null>;
}

/** In the database of a probe: results that the server has not confirmed yet. */
export interface ProbeResultTable {
  seq: Generated<number>;
  monitor: number;
  verdict: 'up' | 'down' | 'internal';
  /** The other fields of the result, as JSON. */
  result: string;
}

/**
 * In the database of a probe: values that have to survive a restart. `joined` describes the server of the probe: see
 * probe/keep-joined.ts.
 */
export interface ProbeFactTable {
  name: 'joined' | 'early results' | 'synced at';
  value: string;
}

export type Probe = Selectable<ProbeTable>;
