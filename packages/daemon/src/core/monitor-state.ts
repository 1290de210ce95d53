import type { CheckError, MonitorStatus } from '@uptime/sdk/contract';

/** The last report of one region. */
export interface RegionView {
  /** Time of the region's latest result; null if the region has not reported yet. */
  at: number | null;
  failed: boolean;
  /**
   * While the monitor is down: whether the region has `reported` in the open round, or is still `due`. `missed`: the
   * last round was decided without the region, so its next report still belongs to that round.
   */
  round: 'due' | 'reported' | 'missed';
  /** The start of the latest failed check that counts in a round; null after a passed check. */
  began: number | null;
  /** The region's latest result that came too late to be judged. The next judged result removes it. */
  late?: { at: number; failed: boolean };
}

/** The state from which a monitor's verdict is computed. Times are epoch milliseconds. */
export interface MonitorState {
  status: MonitorStatus;
  /** When this status began. */
  since: number;
  /** Failed check rounds in a row. */
  failures: number;
  /** While the monitor is down: when the first failed check of this outage ended. */
  failingSince: number | null;
  /** Every region that checks the monitor, by the region's number. */
  regions: Record<number, RegionView>;
  /** Why the monitor is down. */
  error: CheckError | null;
  lastCheckedAt: number | null;
  /** When watching began: at the creation of the monitor, a resume, or an edit of its target. */
  watchedSince: number;
  /** Since when the checker itself has been unable to check. */
  blindSince: number | null;
  lastPingAt: number | null;
  runStartedAt: number | null;
  /** When a heartbeat goes down unless a ping arrives before. Null for other types, and while down or paused. */
  pingDueAt: number | null;
}

/** A change of status. */
export interface Transition {
  from: MonitorStatus;
  to: MonitorStatus;
  at: number;
  error: CheckError | null;
}

/** The next state, and the change of status if there is one. */
export interface Step {
  state: MonitorState;
  transition: Transition | null;
}

/** Moves to a status. Returns no transition if the status stays the same. */
export function moveTo(state: MonitorState, to: MonitorStatus, at: number, error: CheckError | null): Step {
  if (state.status === to) return { state: { ...state, error }, transition: null };
  return { state: { ...state, status: to, since: at, error }, transition: { from: state.status, to, at, error } };
}
