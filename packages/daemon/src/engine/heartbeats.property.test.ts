import { type NormalMonitor, validateMonitor } from '@uptime/sdk/contract';
import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeMonitor, initMonitor } from '../operations/monitor-life.ts';
import { recordAbsence } from '../operations/record-absence.ts';
import { createPingRecording } from '../operations/record-pings.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { monitorRow, projectRow } from '../testing/rows.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { startHeartbeats } from './heartbeats.ts';

const second = 1000;
/** Within so many milliseconds of its time, silence is down. */
const tolerance = 2 * second;
/** A ping so many milliseconds before the clock was set back was timed by the clock as it is since. */
const justNow = 10 * second;

const anyEvent = oneof(
  record({ does: constantFrom('success', 'success', 'failure', 'start', 'pause', 'resume') }),
  record({ does: constantFrom('pass'), seconds: integer({ min: 1, max: 20 }) }),
  record({ does: constantFrom('sleep', 'set back'), seconds: integer({ min: 1, max: 3600 }) }),
  record({ does: constantFrom('edit'), interval: integer({ min: 5, max: 30 }) }),
);
type Event = typeof anyEvent extends { generate(...of: never[]): { value: infer E } } ? E : never;

/** What a heartbeat is to be, by the plainest rules. */
interface Expected {
  status: string;
  due: number | null;
  lastPing: number | null;
  patience: number;
}

/** Takes an event into what is expected. `from` is the time before it, `now` after it. */
function expectAfter(before: Expected, event: Event, from: number, now: number): Expected {
  const { status, due, lastPing, patience } = before;
  switch (event.does) {
    case 'success':
      return status === 'paused'
        ? { ...before, lastPing: now }
        : { ...before, status: 'up', due: now + patience, lastPing: now };
    case 'failure':
      return status === 'paused'
        ? { ...before, lastPing: now }
        : { ...before, status: 'down', due: null, lastPing: now };
    case 'pause':
      return { ...before, status: 'paused', due: null };
    case 'resume':
      return status === 'paused' ? { ...before, status: 'pending', due: now + patience } : before;
    case 'edit': {
      const edited = patienceOf(event.interval);
      return { ...before, patience: edited, due: due === null ? null : due + edited - patience };
    }
    case 'sleep':
      // A ping that was timed before the clock was set back may lie ahead: its silence has not begun.
      return { ...before, due: due === null ? null : due + Math.max(0, now - Math.max(from, lastPing ?? 0)) };
    case 'set back': {
      const timedAnew = lastPing !== null && lastPing >= now - justNow && lastPing <= now;
      return { ...before, due: due === null ? null : Math.min(timedAnew ? due : due + now - from, now + patience) };
    }
    case 'start':
    case 'pass':
      break;
  }
  return before;
}

const fieldsOf = (interval: number, paused: boolean): NormalMonitor => {
  const parsed = validateMonitor({ type: 'heartbeat', name: 'job', interval, gracePeriod: 5, paused });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
};
const patienceOf = (interval: number) => (interval + 5) * second;

describe.each(databases)('silence on $name', ({ name, open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
    await database.store.write((trx) => trx.insertInto('project').values(projectRow('prj_1')).execute());
  });
  afterEach(() => database.dispose());

  it('is judged when it is due and never before, whatever happens to the heartbeat, the daemon and the clock', async () => {
    const { store } = database;
    const recordPings = createPingRecording(store);
    let round = 0;

    const live = async (events: readonly Event[]) => {
      const clock = createFakeClock();
      const token = `job ${++round}`;
      let fields = fieldsOf(10, false);
      const seq = await store.write(async (trx) => {
        const row = monitorRow(token, 'prj_1', { type: 'heartbeat', token });
        const { seq } = await trx.insertInto('monitor').values(row).returning('seq').executeTakeFirstOrThrow();
        await initMonitor(trx, { seq, fields, now: clock.now() });
        return seq;
      });
      const loop = startHeartbeats(
        { clock, log: silentLog, random: Math.random },
        { store, pingsSettled: async () => {}, confirmPresence: async () => {}, onTransition: () => {} },
      );
      const pass = async (ms: number) => {
        for (let gone = 0; gone < ms; gone += 250) {
          await clock.advance(250);
          // The store works in real time.
          await vi.waitFor(() => expect(clock.waiting()).toBe(1), { timeout: 5000, interval: 1 });
        }
      };
      const change = async (after: NormalMonitor) => {
        const now = clock.now();
        await store.write((trx) => changeMonitor(trx, { seq, before: fields, after, now }));
        fields = after;
      };
      const happen = async (event: Event) => {
        const from = clock.now();
        const instance = { name: 'here', region: 1 };
        switch (event.does) {
          case 'success':
          case 'failure':
          case 'start': {
            const ping = { token, kind: event.does as 'success', exitCode: null, metrics: null, at: from };
            await store.write((trx) => recordPings(trx, [ping]));
            break;
          }
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
          case 'sleep':
            clock.jump(event.seconds * second);
            await recordAbsence(store, instance, from, clock.now());
            break;
          case 'set back':
            clock.setWall(-event.seconds * second);
            await recordAbsence(store, instance, from, clock.now());
            break;
        }
      };

      let expected: Expected = {
        status: 'pending',
        due: clock.now() + patienceOf(10),
        lastPing: null,
        patience: patienceOf(10),
      };
      for (const event of events) {
        const from = clock.now();
        await happen(event);
        expected = expectAfter(expected, event, from, clock.now());
        await pass(tolerance);
        const found = await store.db
          .selectFrom('monitor_state')
          .select(['status', 'ping_due_at', 'silence_review_at'])
          .where('monitor', '=', seq)
          .executeTakeFirstOrThrow();
        const { due } = expected;
        const overdue = due !== null && due <= clock.now();
        // In the time that judging may take, either is right.
        const judged = overdue && (found.status === 'down' || due + tolerance <= clock.now());
        if (judged) expected = { ...expected, status: 'down', due: null };
        expect(found).toMatchObject({ status: expected.status, ping_due_at: expected.due });
        expect(found.ping_due_at ?? 0).toBeLessThanOrEqual(clock.now() + expected.patience);
        expect(found.silence_review_at === null).toBe(found.ping_due_at === null);
        expect(found.silence_review_at ?? 0).toBeLessThanOrEqual(found.ping_due_at ?? 0);
      }
      const stopped = loop.stop();
      // It may be letting pings in.
      await clock.advance(second);
      await stopped;
      await store.write((trx) => trx.deleteFrom('monitor').execute());
    };

    await assert(asyncProperty(array(anyEvent, { minLength: 1, maxLength: 15 }), live), {
      numRuns: name === 'sqlite' ? 150 : 15,
    });
  });
});
