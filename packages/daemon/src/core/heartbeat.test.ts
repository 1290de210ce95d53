import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certainFailures, durationOf, isRoutine, judgeSilence, observePing } from './heartbeat.ts';
import { newState, pause, reschedule, resume } from './lifecycle.ts';

const allowedSilenceMs = 90_000;
const success = (at: number) => ({ kind: 'success', at, exitCode: null }) as const;

describe('a heartbeat', () => {
  it('is pending until its first ping, and then up at once', () => {
    const state = newState(0, false, [], allowedSilenceMs);
    expect(state.status).toBe('pending');
    expect(observePing(state, success(5), allowedSilenceMs).transition).toEqual({
      from: 'pending',
      to: 'up',
      at: 5,
      error: null,
    });
  });

  it('goes down if it was never pinged, counted from its creation', () => {
    const state = newState(1000, false, [], allowedSilenceMs);
    expect(judgeSilence(state, 1000 + allowedSilenceMs - 1).transition).toBeNull();
    const step = judgeSilence(state, 1000 + allowedSilenceMs);
    expect(step.transition).toMatchObject({ to: 'down', error: { code: 'no_ping' } });
    expect(step.state.failures).toBe(certainFailures);
  });

  it('goes down exactly after interval plus grace, and up at the next ping', () => {
    const up = observePing(newState(0, false, [], allowedSilenceMs), success(10_000), allowedSilenceMs).state;
    expect(judgeSilence(up, 10_000 + allowedSilenceMs - 1).transition).toBeNull();
    const down = judgeSilence(up, 10_000 + allowedSilenceMs).state;
    expect(down.status).toBe('down');
    expect(observePing(down, success(200_000), allowedSilenceMs)).toMatchObject({
      transition: { to: 'up' },
      state: { failures: 0 },
    });
  });

  it('is down at once after a reported failure, and the message has the exit code', () => {
    const step = observePing(
      newState(0, false, [], allowedSilenceMs),
      { kind: 'failure', at: 5, exitCode: 3 },
      allowedSilenceMs,
    );
    expect(step.state).toMatchObject({
      status: 'down',
      failures: certainFailures,
      error: { message: 'The job reported a failure: exit code 3.' },
    });
  });

  it('measures a run from its start to the next ping only', () => {
    const begun = observePing(
      newState(0, false, [], allowedSilenceMs),
      { kind: 'start', at: 1000, exitCode: null },
      allowedSilenceMs,
    );
    expect(begun).toMatchObject({ transition: null, state: { status: 'pending' } });
    expect(durationOf(begun.state, success(4500))).toBe(3500);
    const ended = observePing(begun.state, success(4500), allowedSilenceMs);
    expect(durationOf(ended.state, success(5000))).toBeNull();
  });

  it('records a ping while paused without a change of status, and is judged again from its resume', () => {
    const paused = pause(
      observePing(newState(0, false, [], allowedSilenceMs), success(5), allowedSilenceMs).state,
      10,
    ).state;
    const pinged = observePing(paused, success(20), allowedSilenceMs);
    expect(pinged).toMatchObject({ transition: null, state: { status: 'paused', lastPingAt: 20, pingDueAt: null } });
    expect(judgeSilence(pinged.state, 1e9).transition).toBeNull();
    const resumed = resume(pinged.state, 1e9, allowedSilenceMs).state;
    expect(resumed).toMatchObject({ status: 'pending', pingDueAt: 1e9 + allowedSilenceMs });
  });

  it('a ping is routine exactly if it changes neither status, nor failures, nor the reason', () => {
    const { state: up } = observePing(newState(0, false, [], allowedSilenceMs), success(1), allowedSilenceMs);
    const states = [newState(0, false, [], allowedSilenceMs), up, judgeSilence(up, 1e9).state, pause(up, 2).state];
    for (const state of states) {
      for (const kind of ['success', 'failure', 'start'] as const) {
        const ping = { kind, at: 5, exitCode: null };
        const { state: after, transition } = observePing(state, ping, allowedSilenceMs);
        const told = ({ status, since, failures, failingSince, error }: typeof state) => [
          status,
          since,
          failures,
          failingSince,
          error,
        ];
        const news = transition !== null || JSON.stringify(told(after)) !== JSON.stringify(told(state));
        expect([state.status, kind, isRoutine(state.status, ping)]).toEqual([state.status, kind, !news]);
      }
    }
  });

  it('uses a new interval from its last ping on', () => {
    const up = observePing(newState(0, false, [], allowedSilenceMs), success(10_000), allowedSilenceMs).state;
    expect(reschedule(up, 1000 - allowedSilenceMs).pingDueAt).toBe(11_000);
  });

  it('is never down while pings arrive in time, whatever their times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: allowedSilenceMs - 1 }), { minLength: 1 }), (gaps) => {
        let now = 0;
        let state = newState(0, false, [], allowedSilenceMs);
        for (const gap of gaps) {
          now += gap;
          expect(judgeSilence(state, now).transition).toBeNull();
          state = observePing(state, success(now), allowedSilenceMs).state;
        }
      }),
    );
  });
});
