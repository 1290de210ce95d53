import type { CheckError } from '@uptime/sdk/contract';
import { type MonitorState, moveTo, type Step } from './monitor-state.ts';

/** A missed heartbeat or a reported failure is certain: it counts as the most failures in a row a rule may ask for. */
export const certainFailures = 100;

/** A ping that arrived. */
export interface Ping {
  kind: 'success' | 'failure' | 'start';
  /** Epoch milliseconds. */
  at: number;
  exitCode: number | null;
}

/** Milliseconds. */
export interface HeartbeatRules {
  interval: number;
  gracePeriod: number;
}

/** Takes a ping into the state; `duration` is the milliseconds since the run's start, where one was marked. */
export function observePing(
  state: MonitorState,
  ping: Ping,
  rules: HeartbeatRules,
): Step & { duration: number | null } {
  if (ping.kind === 'start') return { state: { ...state, runStartedAt: ping.at }, transition: null, duration: null };

  const duration = state.runStartedAt === null ? null : Math.max(0, ping.at - state.runStartedAt);
  const next = {
    ...state,
    lastPingAt: ping.at,
    lastCheckedAt: ping.at,
    runStartedAt: null,
  };
  if (state.status === 'paused') return { state: next, transition: null, duration };

  if (ping.kind === 'failure') {
    const failed = { ...next, failures: certainFailures, failingSince: state.failingSince ?? ping.at, pingDueAt: null };
    return { ...moveTo(failed, 'down', ping.at, reportedFailure(ping.exitCode)), duration };
  }
  const well = { ...next, failures: 0, failingSince: null, pingDueAt: pingDueAt(ping.at, rules) };
  return { ...moveTo(well, 'up', ping.at, null), duration };
}

/** Judges silence: down once it has lasted `interval + gracePeriod`. */
export function judgeSilence(state: MonitorState, now: number): Step {
  if (state.status === 'paused' || state.status === 'down') return { state, transition: null };
  if (state.pingDueAt === null || now < state.pingDueAt) return { state, transition: null };
  const silent = {
    ...state,
    failures: certainFailures,
    failingSince: state.failingSince ?? now,
    pingDueAt: null,
    lastCheckedAt: now,
  };
  return moveTo(silent, 'down', now, silence(state.lastPingAt));
}

export const pingDueAt = (from: number, rules: HeartbeatRules) => from + rules.interval + rules.gracePeriod;

const reportedFailure = (exitCode: number | null): CheckError => ({
  code: 'no_ping',
  message: exitCode === null ? 'The job reported a failure.' : `The job reported a failure: exit code ${exitCode}.`,
});

const silence = (lastPingAt: number | null): CheckError => ({
  code: 'no_ping',
  message: lastPingAt === null ? 'No ping has come yet.' : `No ping since ${new Date(lastPingAt).toISOString()}.`,
});
