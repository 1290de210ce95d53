import type { Generated, Selectable } from 'kysely';

/** A token. Probes that have it may check for one region. */
export interface ProbeTokenTable {
  id: string;
  region: number;
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  digest: string;
  created_at: number;
}

/** A program that checks for a region, as it last reported. */
export interface ProbeTable {
  /** The name that the program gave itself. */
  name: string;
  token: string;
  region: number;
  version: string;
  first_seen_at: number;
  seen_at: number;
  /**
   * The number of the latest result that the server has processed. Results up to this number are repeats, and are
   * ignored.
   */
  applied: Generated<number>;
  /**
   * When the check of the latest recorded result ended. A later result whose check ended well before that is not
   * accepted.
   */
  applied_at: Generated<number>;
  /** Results that wait on the probe. */
  queued: number;
  /** When the check of the oldest waiting result ended. */
  oldest_at: number | null;
  /** By how much its machine's clock is ahead of the server's. */
  skew_ms: number | null;
  /** Why the probe cannot check now. */
  fault: string | null;
  /** When the probe stopped on purpose; null while it runs, and after a crash. */
  left_at: Generated<number | null>;
}

/** On a probe: results that the server has not confirmed yet. */
export interface ProbeResultTable {
  seq: Generated<number>;
  monitor: number;
  verdict: 'up' | 'down' | 'internal';
  /** The rest of the result, as JSON. */
  result: string;
}

/** On a probe: values that have to survive a restart. `joined` is about its server: see probe/keep-joined. */
export interface ProbeFactTable {
  name: 'joined';
  value: string;
}

export type Probe = Selectable<ProbeTable>;
