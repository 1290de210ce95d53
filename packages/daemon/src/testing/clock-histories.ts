import { type NormalMonitor, validateMonitor } from '@uptime/sdk/contract';
import { array, constantFrom, integer, oneof, record } from 'fast-check';
import { expect, vi } from 'vitest';
import { allRoles } from '../core/roles.ts';
import { startHeartbeats } from '../engine/heartbeats.ts';
import { pingsRecordedUntil } from '../engine/other-nodes.ts';
import { type Presence, startPresence } from '../engine/presence.ts';
import { changeMonitor, initMonitor } from '../lifecycle/monitor-life.ts';
import { createPingRecorder } from '../recording/ping-recorder.ts';
import type { Store } from '../store/store.ts';
import { createFakeClock } from './fake-clock.ts';
import { monitorRow, projectRow } from './rows.ts';
import { silentLog } from './test-daemon.ts';

const second = 1000;
/** A silent heartbeat must become `down` at most this long after the expected time. */
const toleranceMs = 2 * second;

const anyEvent = oneof(
  record({ does: constantFrom('success', 'success', 'failure', 'start', 'pause', 'resume') }),
  record({ does: constantFrom('pass'), seconds: integer({ min: 1, max: 20 }) }),
  // The process or its store stalls, or is stopped and started again.
  record({ does: constantFrom('stall', 'restart'), seconds: integer({ min: 0, max: 60 }) }),
  // The wall clock is set, or the machine was suspended.
  record({
    does: constantFrom('set'),
    ms: oneof(integer({ min: -7.2e6, max: 7.2e6 }), integer({ min: -3000, max: 3000 })),
  }),
  // The wall clock is wrong for a while, and then right again.
  record({
    does: constantFrom('wrong'),
    ms: integer({ min: -7.2e6, max: 7.2e6 }),
    forMs: integer({ min: 100, max: 9000 }),
  }),
  record({ does: constantFrom('edit'), interval: integer({ min: 5, max: 30 }) }),
);
type Event = typeof anyEvent extends { generate(...of: never[]): { value: infer E } } ? E : never;

/** Generates histories: events of a heartbeat, of its daemon and of the clocks. */
export const anyClockHistory = array(anyEvent, { minLength: 1, maxLength: 15 });

/** The state of a heartbeat according to simple rules. Times are milliseconds of the monotonic clock. */
interface Expected {
  status: string;
  dueMonoMs: number | null;
  lastPingMonoMs: number;
  allowedSilenceMs: number;
}

/**
 * Returns the expected state after an event that ended at `endedMonoMs`. An event that sets a clock
 * changes nothing.
 */
function expectAfter(before: Expected, event: Event, endedMonoMs: number): Expected {
  const { status, dueMonoMs, allowedSilenceMs } = before;
  switch (event.does) {
    case 'success':
      return status === 'paused'
        ? { ...before, lastPingMonoMs: endedMonoMs }
        : { ...before, status: 'up', dueMonoMs: endedMonoMs + allowedSilenceMs, lastPingMonoMs: endedMonoMs };
    case 'failure':
      return status === 'paused'
        ? { ...before, lastPingMonoMs: endedMonoMs }
        : { ...before, status: 'down', dueMonoMs: null, lastPingMonoMs: endedMonoMs };
    case 'pause':
      return { ...before, status: 'paused', dueMonoMs: null };
    case 'resume':
      return status === 'paused' ? { ...before, status: 'pending', dueMonoMs: endedMonoMs + allowedSilenceMs } : before;
    case 'edit': {
      const edited = allowedSilenceOf(event.interval);
      return {
        ...before,
        allowedSilenceMs: edited,
        dueMonoMs: dueMonoMs === null ? null : dueMonoMs + edited - allowedSilenceMs,
      };
    }
    case 'start':
    case 'pass':
    case 'stall':
    case 'restart':
    case 'set':
    case 'wrong':
      break;
  }
  return before;
}

/** Small corrections of the clock may move a due time by up to this much. */
const slackMs = 20;

/**
 * Returns the earliest and the latest time at which the heartbeat may become `down`, after an event that ended at
 * `endedMonoMs`. A stall or a restart of the daemon may make both times later.
 */
function givenBack(event: Event, skew: number, { dueMonoMs, allowedSilenceMs }: Expected, endedMonoMs: number) {
  if (dueMonoMs === null || (event.does !== 'stall' && event.does !== 'restart'))
    return { earliestMonoMs: dueMonoMs, latestMonoMs: dueMonoMs };
  const gap = event.seconds * second;
  const maxMonoMs = Math.max(dueMonoMs, endedMonoMs + allowedSilenceMs + 2 * second);
  // If the wall clock was set back before a stop, the stop seems shorter to the new process. If the wall clock was set
  // back by more than the length of the stop, the heartbeat has as much time left as before the stop.
  const seen = event.does === 'stall' ? (gap > 3 * second ? gap : 0) : skew < 0 && skew > -gap ? gap + skew : gap;
  const more = event.does === 'restart' && skew > 0 ? Infinity : gap + 4 * second;
  return {
    earliestMonoMs: Math.min(dueMonoMs + seen, Math.max(dueMonoMs, endedMonoMs + allowedSilenceMs)),
    latestMonoMs: Math.min(dueMonoMs + more, maxMonoMs),
  };
}

const fieldsOf = (interval: number, paused: boolean): NormalMonitor => {
  const parsed = validateMonitor({ type: 'heartbeat', name: 'job', interval, gracePeriod: 5, paused });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
};
const allowedSilenceOf = (interval: number) => (interval + 5) * second;

/** Plays a history on a real store. Fails if a silence led to an outage early, late or not at all. */
export async function liveWithClocks(store: Store, history: number, events: readonly Event[]): Promise<void> {
  let clock = createFakeClock();
  const token = `job ${history}`;
  const instance = { name: token, region: 1, roles: allRoles };
  let fields = fieldsOf(10, false);
  const seq = await store.write(async (trx) => {
    await trx
      .insertInto('project')
      .values(projectRow('prj_1'))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx.deleteFrom('presence').execute();
    const row = monitorRow(token, 'prj_1', { type: 'heartbeat', token });
    const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
    await initMonitor(trx, { seq, fields, now: clock.now() });
    return seq;
  });

  let presence: Presence;
  let recorder: ReturnType<typeof createPingRecorder>;
  let loop: ReturnType<typeof startHeartbeats>;
  const start = async () => {
    const deps = { clock, log: silentLog, random: Math.random };
    recorder = createPingRecorder(store, clock, () => {});
    presence = await startPresence(deps, store, instance, recorder);
    loop = startHeartbeats(deps, {
      store,
      pingsSettled: () => recorder.settled(),
      confirmPresence: () => presence.confirm(),
      pingsRecordedUntil: () => pingsRecordedUntil(store, instance, clock.now()),
      onTransition: () => {},
    });
  };
  const stop = async () => {
    const stopped = Promise.all([loop.stop(), presence.stop()]);
    // Moves the clock while the loops stop, because the stop may wait for pings to arrive.
    const state = { over: false };
    void stopped.then(() => (state.over = true));
    for (let waited = 0; !state.over && waited < 100; waited++) await clock.advance(20);
    await stopped;
    await recorder.close();
  };
  /**
   * Moves the clock in steps, and after each step waits until both loops are idle, because the store takes real time.
   */
  const pass = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += 250) {
      await clock.advance(Math.min(250, ms - gone));
      await vi.waitFor(() => expect(clock.waiting()).toBe(2), { timeout: 20_000, interval: 1 });
    }
  };
  const change = async (after: NormalMonitor) => {
    const now = clock.now();
    await store.write((trx) => changeMonitor(trx, { seq, before: fields, after, now }));
    fields = after;
  };
  const happen = async (event: Event): Promise<void> => {
    switch (event.does) {
      case 'success':
      case 'failure':
      case 'start':
        await recorder.record({ token, kind: event.does, exitCode: null, metrics: null, at: clock.now() });
        break;
      case 'pause':
      case 'resume':
        await change(fieldsOf(fields.interval, event.does === 'pause'));
        break;
      case 'edit':
        await change(fieldsOf(event.interval, fields.paused));
        break;
      case 'pass':
        await pass(event.seconds * second);
        break;
      case 'stall':
        clock.jump(event.seconds * second);
        break;
      case 'restart':
        await stop();
        clock.jump(event.seconds * second);
        clock = clock.restarted();
        await start();
        break;
      case 'set':
        clock.setWall(event.ms);
        break;
      case 'wrong':
        clock.setWall(event.ms);
        await pass(event.forMs);
        clock.setWall(-event.ms);
        break;
    }
  };

  await start();
  let expected: Expected = {
    status: 'pending',
    dueMonoMs: clock.monotonicMs() + allowedSilenceOf(10),
    lastPingMonoMs: -Infinity,
    allowedSilenceMs: allowedSilenceOf(10),
  };
  try {
    for (const event of events) {
      const skew = clock.skewMs();
      await happen(event);
      expected = expectAfter(expected, event, clock.monotonicMs());
      const back = givenBack(event, skew, expected, clock.monotonicMs());
      await pass(toleranceMs);
      const found = await store.db
        .selectFrom('monitor_state')
        .select(['status', 'ping_due_at', 'silence_review_at', 'rolled_up_until'])
        .where('monitor', '=', seq)
        .executeTakeFirstOrThrow();
      const nowMonoMs = clock.monotonicMs();
      const foundDueMonoMs = found.ping_due_at === null ? null : found.ping_due_at - clock.now() + nowMonoMs;
      if (expected.dueMonoMs !== null && found.status !== 'down') {
        expect(foundDueMonoMs).toBeGreaterThanOrEqual(back.earliestMonoMs! - slackMs);
        expect(foundDueMonoMs).toBeLessThanOrEqual(back.latestMonoMs! + slackMs);
        expected = { ...expected, dueMonoMs: foundDueMonoMs };
      }
      if (found.status === 'down' && expected.status !== 'down') {
        expect(expected.dueMonoMs).toBeLessThanOrEqual(nowMonoMs);
        expected = { ...expected, status: 'down', dueMonoMs: null };
      }
      expect(found.status).toBe(expected.status);
      if (expected.dueMonoMs !== null) expect(expected.dueMonoMs + toleranceMs).toBeGreaterThan(nowMonoMs);
      expect(found.silence_review_at === null).toBe(found.ping_due_at === null);
      expect(found.silence_review_at ?? 0).toBeLessThanOrEqual(found.ping_due_at ?? 0);
      expect(found.rolled_up_until).toBeLessThanOrEqual(clock.now());
    }
  } finally {
    await stop();
    await store.write((trx) => trx.deleteFrom('monitor').execute());
  }
}
