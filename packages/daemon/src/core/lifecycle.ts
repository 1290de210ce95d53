import { type MonitorState, moveTo, type RegionView, type Step } from './monitor-state.ts';

/**
 * Returns the state of a new monitor, before any result. `allowedSilenceMs` is null for all monitors except heartbeats.
 */
export function newState(
  at: number,
  paused: boolean,
  regions: readonly number[],
  allowedSilenceMs: number | null,
): MonitorState {
  return {
    status: paused ? 'paused' : 'pending',
    since: at,
    failures: 0,
    failingSince: null,
    regions: unseen(allowedSilenceMs === null ? regions : []),
    error: null,
    lastCheckedAt: null,
    watchedSince: at,
    unobservedSince: null,
    lastPingAt: null,
    runStartedAt: null,
    pingDueAt: allowedSilenceMs === null || paused ? null : at + allowedSilenceMs,
  };
}

/** Returns the state after a pause. A pause ends an outage. */
export function pause(state: MonitorState, at: number): Step {
  return moveTo({ ...forget(state, at), pingDueAt: null }, 'paused', at, null);
}

/** Returns the state after a resume. The status is pending until the first result. */
export function resume(state: MonitorState, at: number, allowedSilenceMs: number | null): Step {
  return moveTo(
    { ...forget(state, at), pingDueAt: allowedSilenceMs === null ? null : at + allowedSilenceMs },
    'pending',
    at,
    null,
  );
}

/**
 * Returns the state after an edit of the target. The status stays until the new target is checked. The count of
 * failures restarts.
 */
export const retarget = (state: MonitorState, at: number): MonitorState => ({
  ...forget(state, at),
  error: state.error,
});

/**
 * Returns the state of a heartbeat after an edit that changes its allowed silence by `byMs`. The new allowed silence
 * counts from the last ping. If an absence extended the deadline, the extension stays.
 */
export const reschedule = (state: MonitorState, byMs: number): MonitorState => ({
  ...state,
  pingDueAt: state.pingDueAt === null ? null : state.pingDueAt + byMs,
});

/** Returns the state after a change of the monitor's regions. The results of the remaining regions stay. */
export function reassign(state: MonitorState, regions: readonly number[]): MonitorState {
  const kept = regions.map((region) => [region, state.regions[region] ?? unseenRegion] as const);
  return { ...state, regions: Object.fromEntries(kept) };
}

/**
 * Returns the regions' results after the clock stepped by `byMs`. The times of the results change by the same amount,
 * so that the results keep their age.
 */
export function shiftViews(regions: MonitorState['regions'], byMs: number): MonitorState['regions'] {
  const shifted = (at: number | null) => (at === null ? null : at + byMs);
  const views = Object.entries(regions).map(([number, view]) => [
    number,
    {
      ...view,
      at: shifted(view.at),
      began: shifted(view.began),
      ...(view.late && { late: { ...view.late, at: view.late.at + byMs } }),
    },
  ]);
  return Object.fromEntries(views) as MonitorState['regions'];
}

function forget(state: MonitorState, at: number): MonitorState {
  const regions = unseen(Object.keys(state.regions).map(Number));
  return {
    ...state,
    regions,
    failures: 0,
    failingSince: null,
    error: null,
    watchedSince: at,
    unobservedSince: null,
    runStartedAt: null,
  };
}

const unseenRegion: RegionView = { at: null, failed: false, round: 'due', began: null };
const unseen = (regions: readonly number[]) => Object.fromEntries(regions.map((region) => [region, unseenRegion]));
