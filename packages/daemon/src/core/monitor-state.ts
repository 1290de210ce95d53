import type { CheckError, MonitorStatus } from '@uptime/sdk/contract';

/** The latest report of one region about a monitor. */
export interface RegionView {
  /** Time of the region's latest result; null if the region has not reported yet. */
  at: number | null;
  failed: boolean;
  /**
   * Used only while the monitor is down. `due`: the region has not reported in the open round yet. `reported`: it has
   * reported in the open round. `missed`: the previous round was decided without the region, so the region's next
   * report still belongs to that previous round.
   */
  round: 'due' | 'reported' | 'missed';
  /**
   * The nominal start (see `roundOf` in schedule.ts) of the latest failed check that belongs to a round; null after a
   * passed check.
   */
  began: number | null;
  /**
   * The region's latest result that came too late to change the status. The next result that arrives in time removes
   * it.
   */
  late?: { at: number; failed: boolean };
}

/** The state from which a monitor's verdict is computed. */
export interface MonitorState {
  status: MonitorStatus;
  /** When this status began. */
  since: number;
  /** Number of failed check rounds in a row. */
  failures: number;
  /** When the first of these failed rounds ended; null if `failures` is 0. */
  failingSince: number | null;
  /** Every region that checks the monitor, by the region's number. */
  regions: Record<number, RegionView>;
  /** Why the monitor is down. */
  error: CheckError | null;
  lastCheckedAt: number | null;
  /** When the daemon began to watch the monitor: at its creation, a resume, or the latest edit of its target. */
  watchedSince: number;
  /**
   * Since when the monitor has not been observed: all checks failed because of the checker itself, or no results
   * arrived from any region. Null while the monitor is observed.
   */
  unobservedSince: number | null;
  lastPingAt: number | null;
  runStartedAt: number | null;
  /**
   * When a heartbeat goes down unless a ping arrives before then. Null for other types of monitor, and while the
   * heartbeat is down or paused.
   */
  pingDueAt: number | null;
}

/** A change of status. */
export interface Transition {
  from: MonitorStatus;
  to: MonitorStatus;
  at: number;
  error: CheckError | null;
}

/** The next state of a monitor, and the change of status if there is one. */
export interface Step {
  state: MonitorState;
  transition: Transition | null;
}

/**
 * Returns the state with this status, and the transition to it. The transition is null if the monitor has this status
 * already.
 */
export function moveTo(state: MonitorState, to: MonitorStatus, at: number, error: CheckError | null): Step {
  if (state.status === to) return { state: { ...state, error }, transition: null };
  return { state: { ...state, status: to, since: at, error }, transition: { from: state.status, to, at, error } };
}
