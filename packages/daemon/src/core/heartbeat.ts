import type { CheckError, MonitorStatus } from '@uptime/sdk/contract';
import { type MonitorState, moveTo, type Step } from './monitor-state.ts';

/**
 * An overdue ping or a reported failure counts as this many failed rounds. No rule can have a larger
 * threshold, so both events meet the threshold of every rule at once.
 */
export const certainFailures = 100;

/** A ping that arrived. */
export interface Ping {
  kind: 'success' | 'failure' | 'start';
  at: number;
  exitCode: number | null;
}

/** The times in a heartbeat's state that a ping changes. */
export type PingTimes = Pick<MonitorState, 'lastPingAt' | 'lastCheckedAt' | 'runStartedAt' | 'pingDueAt'>;

/** Whether a ping changes only the heartbeat's times, and neither begins nor ends an outage. */
export const isRoutine = (status: MonitorStatus, { kind }: Pick<Ping, 'kind'>): boolean =>
  kind === 'start' || status === 'paused' || (status === 'up' && kind === 'success');

/** Returns the heartbeat's times after a ping. */
export function timesAfter(
  times: PingTimes,
  status: MonitorStatus,
  { kind, at }: Ping,
  allowedSilenceMs: number,
): PingTimes {
  if (kind === 'start') return { ...times, runStartedAt: at };
  const due = kind === 'success' ? at + allowedSilenceMs : null;
  return {
    lastPingAt: at,
    lastCheckedAt: at,
    runStartedAt: null,
    pingDueAt: status === 'paused' ? times.pingDueAt : due,
  };
}

/**
 * Returns the duration of the run that a ping ends, in milliseconds. Returns null if the ping ends no run, or if the
 * job did not report the start of the run.
 */
export const durationOf = ({ runStartedAt }: Pick<PingTimes, 'runStartedAt'>, { kind, at }: Ping): number | null =>
  kind === 'start' || runStartedAt === null ? null : Math.max(0, at - runStartedAt);

/** Returns the state of a heartbeat after a ping, and the change of status if there is one. */
export function observePing(state: MonitorState, ping: Ping, allowedSilenceMs: number): Step {
  const next = { ...state, ...timesAfter(state, state.status, ping, allowedSilenceMs) };
  if (isRoutine(state.status, ping)) return { state: next, transition: null };
  if (ping.kind === 'failure') {
    const failed = { ...next, failures: certainFailures, failingSince: state.failingSince ?? ping.at };
    return moveTo(failed, 'down', ping.at, reportedFailure(ping.exitCode));
  }
  return moveTo({ ...next, failures: 0, failingSince: null }, 'up', ping.at, null);
}

/** Returns the state of a heartbeat at this time. The heartbeat goes down if its deadline (`pingDueAt`) has passed. */
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

const reportedFailure = (exitCode: number | null): CheckError => ({
  code: 'no_ping',
  message: exitCode === null ? 'The job reported a failure.' : `The job reported a failure: exit code ${exitCode}.`,
});

const silence = (lastPingAt: number | null): CheckError => ({
  code: 'no_ping',
  message: lastPingAt === null ? 'No ping has come yet.' : `No ping since ${new Date(lastPingAt).toISOString()}.`,
});
