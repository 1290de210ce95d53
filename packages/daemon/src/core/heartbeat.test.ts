import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '@uptime/sdk/contract';
import { certainFailures, durationOf, judgeSilence, observePing, type Ping } from './heartbeat.ts';
import { newState } from './lifecycle.ts';
import type { MonitorState } from './monitor-state.ts';

const allowedSilenceMs = 60_000;
const now = 1_000_000;
const due = now + 5000;

const heartbeat = (status: MonitorStatus, more: Partial<MonitorState> = {}): MonitorState => ({
  ...newState(0, false, [], allowedSilenceMs),
  status,
  lastPingAt: 1000,
  pingDueAt: status === 'up' || status === 'pending' ? due : null,
  ...more,
});
const ping = (kind: Ping['kind'], at = now): Ping => ({ kind, at, exitCode: null });

describe('a ping', () => {
  it.each(['up', 'pending', 'down'] as const)(
    'a ping that reports success ends the silence of a heartbeat that was %s before',
    (status) => {
      const failing = { failures: 3, failingSince: 500, runStartedAt: 900 };
      const { state, transition } = observePing(heartbeat(status, failing), ping('success'), allowedSilenceMs);
      expect(state).toMatchObject({
        status: 'up',
        lastPingAt: now,
        lastCheckedAt: now,
        runStartedAt: null,
        pingDueAt: now + allowedSilenceMs,
      });
      expect(transition?.to).toBe(status === 'up' ? undefined : 'up');
      if (status !== 'up') expect(state).toMatchObject({ failures: 0, failingSince: null });
    },
  );

  it('a ping that reports a failure begins an outage that meets the threshold of every rule, and removes the deadline', () => {
    const { state, transition } = observePing(heartbeat('up'), ping('failure'), allowedSilenceMs);
    expect(state).toMatchObject({ failures: certainFailures, failingSince: now, pingDueAt: null, lastPingAt: now });
    expect(transition).toMatchObject({ from: 'up', to: 'down', at: now });
  });

  it('a ping that reports a failure during an outage does not change when the outage began', () => {
    const down = heartbeat('down', { failingSince: 500 });
    const { state, transition } = observePing(down, ping('failure'), allowedSilenceMs);
    expect([state.failingSince, transition]).toEqual([500, null]);
  });

  it('a ping to a paused heartbeat changes neither the status nor the deadline of the heartbeat', () => {
    for (const kind of ['success', 'failure'] as const) {
      const { state, transition } = observePing(heartbeat('paused'), ping(kind), allowedSilenceMs);
      expect([state.status, state.pingDueAt, state.lastPingAt, transition]).toEqual(['paused', null, now, null]);
    }
  });

  it('a ping that reports the start of a run changes only the start time of the run', () => {
    const before = heartbeat('up');
    const { state } = observePing(before, ping('start'), allowedSilenceMs);
    expect(state).toEqual({ ...before, runStartedAt: now });
  });

  it('the duration of a run is the time from its start to the ping that ends it, and is never negative', () => {
    expect(durationOf({ runStartedAt: now - 700 }, ping('success'))).toBe(700);
    expect(durationOf({ runStartedAt: now + 5 }, ping('failure'))).toBe(0);
    expect(durationOf({ runStartedAt: null }, ping('success'))).toBeNull();
    expect(durationOf({ runStartedAt: now - 700 }, ping('start'))).toBeNull();
  });
});

describe('a silence', () => {
  it.each(['up', 'pending'] as const)(
    'a silence makes a heartbeat that is %s go down exactly at its deadline',
    (status) => {
      const before = heartbeat(status);
      expect(judgeSilence(before, due - 1)).toEqual({ state: before, transition: null });
      const { state, transition } = judgeSilence(before, due);
      expect(transition).toMatchObject({ from: status, to: 'down', at: due });
      expect(state).toMatchObject({
        failures: certainFailures,
        failingSince: due,
        pingDueAt: null,
        lastCheckedAt: due,
        lastPingAt: 1000,
      });
    },
  );

  it('a silence keeps the time at which an earlier failure began', () => {
    expect(judgeSilence(heartbeat('up', { failingSince: 500 }), due).state.failingSince).toBe(500);
  });

  it.each(['paused', 'down'] as const)('a silence changes nothing while a heartbeat is %s', (status) => {
    const before = heartbeat(status, { pingDueAt: due });
    expect(judgeSilence(before, due + 1)).toEqual({ state: before, transition: null });
  });

  it('a silence changes nothing if the heartbeat has no deadline', () => {
    const before = heartbeat('up', { pingDueAt: null });
    expect(judgeSilence(before, Infinity)).toEqual({ state: before, transition: null });
  });
});
