import { type MonitorState, moveTo, type RegionView, type Step } from './monitor-state.ts';

/** A monitor at its creation: nothing seen yet. `patience` is a heartbeat's, in milliseconds; null for the types that are checked. */
export function newState(
  at: number,
  paused: boolean,
  regions: readonly number[],
  patience: number | null,
): MonitorState {
  return {
    status: paused ? 'paused' : 'pending',
    since: at,
    failures: 0,
    failingSince: null,
    regions: unseen(patience === null ? regions : []),
    error: null,
    lastCheckedAt: null,
    watchedSince: at,
    blindSince: null,
    lastPingAt: null,
    runStartedAt: null,
    pingDueAt: patience === null || paused ? null : at + patience,
  };
}

/** Paused: not checked, and whatever was failing is over. */
export function pause(state: MonitorState, at: number): Step {
  return moveTo({ ...forget(state, at), pingDueAt: null }, 'paused', at, null);
}

/** Watched again from here on: pending until something is seen. */
export function resume(state: MonitorState, at: number, patience: number | null): Step {
  return moveTo({ ...forget(state, at), pingDueAt: patience === null ? null : at + patience }, 'pending', at, null);
}

/** What is checked was edited: the status stays until the new target is seen, its run of failures starts anew. */
export const retarget = (state: MonitorState, at: number): MonitorState => ({
  ...forget(state, at),
  error: state.error,
});

/**
 * Interval or grace changed, and with them the patience by so many milliseconds: silence is judged by the new ones from
 * the last ping on. What was given back of it, because nobody watched, stays given back.
 */
export const reschedule = (state: MonitorState, by: number): MonitorState => ({
  ...state,
  pingDueAt: state.pingDueAt === null ? null : state.pingDueAt + by,
});

/** The regions that check it changed: what the remaining ones said stays. */
export function reassign(state: MonitorState, regions: readonly number[]): MonitorState {
  const kept = regions.map((region) => [region, state.regions[region] ?? unseenRegion] as const);
  return { ...state, regions: Object.fromEntries(kept) };
}

/**
 * The timeline stepped by so many milliseconds: what regions said moves with it, so that it is as old as it was. With a
 * `region`, only what that one said.
 */
export function shiftViews(
  regions: MonitorState['regions'],
  byMs: number,
  region: number | null,
): MonitorState['regions'] {
  const shifted = (at: number | null) => (at === null ? null : at + byMs);
  const views = Object.entries(regions).map(([number, view]) => [
    number,
    region === null || region === Number(number) ? { ...view, at: shifted(view.at), began: shifted(view.began) } : view,
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
    blindSince: null,
    runStartedAt: null,
  };
}

const unseenRegion: RegionView = { at: null, failed: false, round: 'due', began: null };
const unseen = (regions: readonly number[]) => Object.fromEntries(regions.map((region) => [region, unseenRegion]));
