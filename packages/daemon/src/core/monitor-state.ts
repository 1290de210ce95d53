import type { CheckError, MonitorStatus } from '@uptime/sdk/contract';

/** What one region last reported. */
export interface RegionView {
  /** Epoch milliseconds of its latest result; null when it has not reported yet. */
  at: number | null;
  failed: boolean;
  /**
   * While the monitor is down, its part in the round that is open: `due` to report, or `reported`. One that `missed` the
   * round before, which was decided without it, has that to report first.
   */
  round: 'due' | 'reported' | 'missed';
  /** When the latest failed check began that counts in a round; null once a check has passed. */
  began: number | null;
}

/** What the verdict on a monitor is built from. Times are epoch milliseconds. */
export interface MonitorState {
  status: MonitorStatus;
  /** When this status began. */
  since: number;
  /** Failed check rounds in a row. */
  failures: number;
  /** While down: when the first check of the run of failures failed. */
  failingSince: number | null;
  /** Every region that is to check it, by the region's number. */
  regions: Record<number, RegionView>;
  /** Why it is down. */
  error: CheckError | null;
  lastCheckedAt: number | null;
  /** When watching began: at its creation, at a resume, or when what is checked was edited. */
  watchedSince: number;
  /** Since when the checker itself has been unable to check. */
  blindSince: number | null;
  lastPingAt: number | null;
  runStartedAt: number | null;
  /** When a heartbeat's silence becomes down; null for other types, and while down or paused. */
  pingDueAt: number | null;
}

/** A change of status. */
export interface Transition {
  from: MonitorStatus;
  to: MonitorStatus;
  at: number;
  error: CheckError | null;
}

/** Where a state goes, and the change of status on the way if there is one. */
export interface Step {
  state: MonitorState;
  transition: Transition | null;
}

/** Moves to a status; no transition when it is there already. */
export function moveTo(state: MonitorState, to: MonitorStatus, at: number, error: CheckError | null): Step {
  if (state.status === to) return { state: { ...state, error }, transition: null };
  return { state: { ...state, status: to, since: at, error }, transition: { from: state.status, to, at, error } };
}
