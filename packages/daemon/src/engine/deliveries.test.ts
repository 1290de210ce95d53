import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Sent } from '../channels/index.ts';
import { ServiceError } from '../errors.ts';
import { moveTimeline } from '../recording/move-timeline.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import {
  type Attempt,
  arrived,
  channelRow,
  createRecordingNotifier,
  failing,
  openTestAlert,
  refused,
} from '../testing/outbox.ts';
import { projectRow } from '../testing/rows.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';

const hour = 3_600_000;

describe.each(databases)('deliveries on $name', ({ name, open }) => {
  let database: TestDatabase;
  let store: Store;
  let clock: FakeClock;
  let running: Deliveries[];
  let answer: (attempt: Attempt) => Sent | Promise<Sent>;
  let attempts: Attempt[];
  const log = { debug() {}, info() {}, warn() {}, error: vi.fn<(fields: object, message: string) => void>() };

  const start = async (on: Store = store, by: FakeClock = clock) => {
    const recording = createRecordingNotifier((attempt) => {
      attempts.push(attempt);
      return answer(attempt);
    });
    const deliveries = await startDeliveries(
      { clock: by, log, random: () => 0 },
      { store: on, notifier: recording.notifier },
    );
    running.push(deliveries);
    return deliveries;
  };

  beforeEach(async () => {
    database = await open();
    store = database.store;
    clock = createFakeClock();
    [running, attempts, answer] = [[], [], () => arrived];
    log.error.mockClear();
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await store.db
      .insertInto('channel')
      .values([channelRow('chn_1'), channelRow('chn_2')])
      .execute();
  });
  afterEach(async () => {
    const stopped = Promise.all(running.map((one) => one.stop()));
    await until(stopped.then(() => true));
    await database.dispose();
    expect(log.error).not.toHaveBeenCalled();
  });

  /** Moves time forward in steps of 10 ms until a condition holds. The store works in real time. */
  const until = async (condition: Promise<boolean> | (() => boolean | Promise<boolean>), step = 10) => {
    let met = false;
    if (typeof condition !== 'function') void condition.then(() => (met = true));
    const deadline = performance.now() + 10_000;
    while (!met) {
      if (typeof condition === 'function') met = await condition();
      if (met) return;
      if (performance.now() > deadline) throw new Error(`Never so; sent until then: ${JSON.stringify(attempts)}`);
      await clock.advance(step);
    }
  };
  const delivery = (id: string) => store.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirst();
  const unfinished = async () =>
    (await store.db.selectFrom('delivery').select('seq').where('status', '=', 'pending').execute()).length;
  const settled = () => until(async () => (await unfinished()) === 0);
  /** Lets some looks into the outbox pass. */
  const look = async () => {
    for (let count = 0; count < 10; count++) {
      await clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const what = () => attempts.map((one) => one.what);
  const alerts = () => store.db.selectFrom('alert').select(['id', 'delivery_status', 'error']).orderBy('seq').execute();
  const channel = (id: string) =>
    store.db
      .selectFrom('channel')
      .select(['last_sent_at', 'last_error', 'wait_until'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const logged = () =>
    store.db.selectFrom('delivery_attempt').select(['status', 'text']).orderBy('delivery').orderBy('at').execute();

  /** Moves the clock to the next due attempt, and waits for it, until the message is given up. */
  const untilGivenUp = async () => {
    const failed = async () => (await alerts())[0]!.delivery_status === 'failed';
    while (!(await failed())) {
      const { next_at: due } = await store.db
        .selectFrom('delivery')
        .select('next_at')
        .where('seq', '=', 1)
        .executeTakeFirstOrThrow();
      const tried = attempts.length;
      clock.jump(Math.max(0, (due ?? 0) - clock.now()));
      await until(() => attempts.length > tried || failed());
      await until(
        async () =>
          (await store.db.selectFrom('delivery').select('seq').where('lease_until', '>', 0).execute()).length === 0,
      );
    }
  };

  it('sends a message once, and records that it arrived', async () => {
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    await start();
    await settled();
    await look();
    expect(attempts).toEqual([{ channel: 'chn_1', id: expect.stringMatching(/^dlv_/), what: 'alarm a' }]);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'sent', error: null }]);
    expect(await channel('chn_1')).toMatchObject({ last_sent_at: expect.any(Number), last_error: null });
    expect(await logged()).toEqual([{ status: 200, text: 'ok' }]);
    expect(await delivery(attempts[0]!.id)).toMatchObject({
      status: 'sent',
      attempts: 1,
      next_at: null,
      finished_at: expect.any(Number),
    });
  });

  it('sends messages of a lane in order, and other lanes independently', async () => {
    answer = ({ what }) =>
      what === 'alarm a' && attempts.filter((one) => one.what === what).length < 3 ? failing : arrived;
    await openTestAlert(store, 'a', { channel: 1, at: clock.now(), kinds: ['alarm', 'reminder', 'recovery'] });
    await openTestAlert(store, 'b', { channel: 1, at: clock.now(), kinds: ['alarm', 'recovery'] });
    await openTestAlert(store, 'c', { channel: 1, at: clock.now(), monitor: 2, kinds: ['alarm', 'recovery'] });
    await start();
    await settled();
    const lane = what().filter((one) => !one.endsWith('c'));
    expect(lane).toEqual(['alarm a', 'alarm a', 'alarm a', 'reminder a', 'recovery a', 'alarm b', 'recovery b']);
    expect(what().indexOf('recovery c')).toBeLessThan(what().indexOf('reminder a'));
    // One message keeps one id through all attempts.
    expect(new Set(attempts.map((one) => one.id)).size).toBe(7);
  });

  it('tries again after 2 s, 4 s, 8 s and so on, and shows the reason at the channel', async () => {
    answer = () => (attempts.length < 5 ? failing : arrived);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    await start();
    await until(() => attempts.length === 2);
    await until(async () => (await channel('chn_1')).last_error !== null);
    expect(await channel('chn_1')).toMatchObject({ last_sent_at: null, last_error: 'HTTP 500 broken' });
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'pending', error: 'HTTP 500 broken' }]);
    await until(async () => (await unfinished()) === 0, 100);
    expect((await logged()).map(({ status }) => status)).toEqual([500, 500, 500, 500, 200]);
    const times = await store.db.selectFrom('delivery_attempt').select('at').orderBy('at').execute();
    const gaps = times.slice(1).map(({ at }, before) => at - times[before]!.at);
    expect(gaps.every((gap, count) => gap >= 2000 * 2 ** count)).toBe(true);
    expect(await channel('chn_1')).toMatchObject({ last_error: null });
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'sent', error: null }]);
  });

  it('gives a message up after a day, with those that depend on it, and continues with the next alert', async () => {
    answer = ({ what }) => (what === 'alarm a' ? failing : arrived);
    const begun = clock.now();
    await openTestAlert(store, 'a', { channel: 1, at: begun, kinds: ['alarm', 'recovery'] });
    await openTestAlert(store, 'b', { channel: 1, at: begun });
    await start();
    await untilGivenUp();
    expect(clock.now() - begun).toBeGreaterThan(22 * hour);
    expect(clock.now() - begun).toBeLessThanOrEqual(24 * hour);
    await settled();
    expect(new Set(what())).toEqual(new Set(['alarm a', 'alarm b']));
    expect(await alerts()).toEqual([
      { id: 'a', delivery_status: 'failed', error: 'HTTP 500 broken' },
      { id: 'b', delivery_status: 'sent', error: null },
    ]);
    expect((await logged()).map(({ text }) => text)).toContain('Not sent, because its alarm did not arrive.');
  });

  it('counts the day from the first attempt, however long a stopped daemon let it wait', async () => {
    answer = () => failing;
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    clock.jump(72 * hour);
    const begun = clock.now();
    await start();
    await untilGivenUp();
    expect(clock.now() - begun).toBeGreaterThan(22 * hour);
    expect(clock.now() - begun).toBeLessThanOrEqual(24 * hour);
  });

  it('tries once more after a stop that outlasted the day, and then gives up', async () => {
    answer = () => failing;
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    const first = await start();
    await until(async () => (await logged()).length === 1);
    running = [];
    await until(first.stop().then(() => true));
    clock.jump(72 * hour);
    await start();
    await settled();
    expect(attempts).toHaveLength(2);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'failed', error: 'HTTP 500 broken' }]);
  });

  it('retries a refused message once, a minute later, and sends no recovery of a refused alarm', async () => {
    answer = ({ what }) => (what === 'alarm a' ? refused : arrived);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now(), kinds: ['alarm', 'recovery'] });
    await start();
    const begun = clock.now();
    await until(() => attempts.length === 2, 1000);
    expect(clock.now() - begun).toBeGreaterThanOrEqual(60_000);
    await settled();
    expect(what()).toEqual(['alarm a', 'alarm a']);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'failed', error: 'HTTP 404 no such hook' }]);
  });

  it('delivers an alarm that is refused for some seconds only', async () => {
    answer = () => (attempts.length === 1 ? refused : arrived);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    await start();
    await until(async () => (await unfinished()) === 0, 1000);
    expect(await alerts()).toEqual([{ id: 'a', delivery_status: 'sent', error: null }]);
  });

  it('leaves a limited channel alone with all its messages for as long as it asks, up to 15 minutes', async () => {
    answer = () => (attempts.length === 1 ? { ...failing, status: 429, retryAfterMs: 24 * hour } : arrived);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    await start();
    await until(async () => (await channel('chn_1')).wait_until > 0);
    const asked = (await channel('chn_1')).wait_until;
    await openTestAlert(store, 'b', { channel: 1, at: clock.now(), monitor: 2 });
    await openTestAlert(store, 'c', { channel: 2, at: clock.now() });
    await until(() => attempts.length === 2);
    await look();
    expect(what()).toEqual(['alarm a', 'alarm c']);
    expect(asked).toBeGreaterThan(clock.now() + 10 * 60_000);
    expect(asked).toBeLessThanOrEqual(clock.now() + 15 * 60_000);
    // A rate limit does not count as a failure of the message.
    expect(await delivery(attempts[0]!.id)).toMatchObject({ status: 'pending', attempts: 0 });
    clock.jump(15 * 60_000);
    await settled();
    expect(what().toSorted()).toEqual(['alarm a', 'alarm a', 'alarm b', 'alarm c']);
  });

  const paced = async (retryAfter: number | null) => {
    let taken = -Infinity;
    answer = () => {
      if (clock.now() - taken < 1000) return { ...failing, status: 429, retryAfterMs: retryAfter };
      taken = clock.now();
      return arrived;
    };
    for (let monitor = 1; monitor <= 60; monitor++)
      await openTestAlert(store, `a${monitor}`, { channel: 1, at: clock.now(), monitor });
    await start();
    const begun = clock.now();
    await until(async () => (await unfinished()) === 0, 20);
    expect(clock.now() - begun).toBeLessThan(1.2 * 60_000);
  };
  // On PostgreSQL the test's clock would run on while the database answers.
  if (name === 'sqlite') {
    it('sends 60 alarms within 72 s to a channel that accepts one a second, and says so', () => paced(1000));
    it('sends 60 alarms within 72 s to a channel that accepts one a second, and does not say so', () => paced(null));
  }

  it('retries waiting and given-up messages as soon as the channel works again', async () => {
    let works = false;
    answer = ({ what }) => (works || what === 'alarm c' ? arrived : what === 'alarm a' ? refused : failing);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    await openTestAlert(store, 'b', { channel: 1, at: clock.now(), monitor: 2 });
    await start();
    await until(async () => (await alerts())[0]!.delivery_status === 'failed', 500);
    await until(async () => (await delivery(attempts.find(({ what }) => what === 'alarm b')!.id))!.attempts >= 7, 500);
    works = true;
    const healed = clock.now();
    await openTestAlert(store, 'c', { channel: 1, at: healed, monitor: 3 });
    await settled();
    expect((await alerts()).map((one) => one.delivery_status)).toEqual(['sent', 'sent', 'sent']);
    expect(clock.now() - healed).toBeLessThan(10_000);
  });

  it('does not revive messages of ended outages when the channel works again', async () => {
    answer = ({ what }) => (what === 'alarm a' ? refused : arrived);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    await start();
    await until(async () => (await alerts())[0]!.delivery_status === 'failed', 1000);
    await store.db.updateTable('alert').set({ resolved_at: clock.now() }).execute();
    answer = () => arrived;
    await openTestAlert(store, 'b', { channel: 1, at: clock.now(), monitor: 2 });
    await settled();
    await look();
    expect((await alerts()).map((one) => one.delivery_status)).toEqual(['failed', 'sent']);
  });

  it('gives a hanging channel four places, and delays no other', async () => {
    const hung = Promise.withResolvers<Sent>();
    answer = ({ channel }) => (channel === 'chn_1' ? hung.promise : arrived);
    for (let monitor = 1; monitor <= 30; monitor++) {
      await openTestAlert(store, `h${monitor}`, { channel: 1, at: clock.now(), monitor });
      await openTestAlert(store, `g${monitor}`, { channel: 2, at: clock.now(), monitor });
    }
    await start();
    await until(async () => (await unfinished()) === 30);
    expect(attempts.filter(({ channel }) => channel === 'chn_1')).toHaveLength(4);
    expect(attempts.filter(({ channel }) => channel === 'chn_2')).toHaveLength(30);
    hung.resolve(arrived);
    await settled();
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(60);
    expect(attempts).toHaveLength(60);
  });

  it('holds messages about a monitor under maintenance until the window ends', async () => {
    const now = clock.now();
    await store.db
      .insertInto('monitor')
      .values({
        id: 'mon_1',
        project_id: 'prj',
        key: null,
        name: 'm',
        type: 'http',
        config: '{}',
        generation: 1,
        token: null,
        created_at: 0,
        updated_at: 0,
      })
      .execute();
    await store.db
      .insertInto('incident')
      .values({
        id: 'inc',
        project_id: 'prj',
        title: 'w',
        status: 'identified',
        maintenance: 1,
        scheduled_start: now - hour,
        scheduled_end: now + hour,
        started_at: now,
        resolved_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await store.db.insertInto('incident_monitor').values({ incident: 1, monitor: 1, position: 0 }).execute();
    await openTestAlert(store, 'a', { channel: 1, at: now });
    await openTestAlert(store, 'b', { channel: 1, at: now, monitor: 2 });
    await start();
    await until(async () => (await unfinished()) === 1);
    await look();
    expect(what()).toEqual(['alarm b']);
    const held = () => store.db.selectFrom('delivery').select('next_at').where('status', '=', 'pending').execute();
    await until(async () => (await held())[0]?.next_at === now + hour);
    clock.jump(hour);
    await settled();
    expect(what()).toEqual(['alarm b', 'alarm a']);
  });

  it('says that messages for a deleted channel failed because it was deleted', async () => {
    await openTestAlert(store, 'a', { channel: 2, at: clock.now(), kinds: ['alarm', 'recovery'] });
    await openTestAlert(store, 'b', { channel: 1, at: clock.now() });
    await store.db.deleteFrom('channel').where('id', '=', 'chn_2').execute();
    await start();
    await settled();
    expect(what()).toEqual(['alarm b']);
    expect(await alerts()).toEqual([
      { id: 'a', delivery_status: 'failed', error: 'The channel was deleted.' },
      { id: 'b', delivery_status: 'sent', error: null },
    ]);
  });

  it('sends a message again under the same id after a stop, and does not count the interrupted attempt', async () => {
    answer = () => new Promise(() => {});
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    const first = await start();
    await until(() => attempts.length === 1);
    running = [];
    await until(first.stop().then(() => true));
    expect(await delivery(attempts[0]!.id)).toMatchObject({ status: 'pending', attempts: 0, lease_until: 0 });
    expect(await logged()).toEqual([]);
    answer = () => arrived;
    await start();
    await settled();
    expect(attempts[1]).toEqual(attempts[0]);
    expect(attempts).toHaveLength(2);
  });

  it("sends a killed process's messages again: at once if no other daemon can, else when its claim lapses", async () => {
    const killed = Promise.withResolvers<Sent>();
    answer = () => (attempts.length === 1 ? killed.promise : arrived);
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    // Time stands still for a killed process: it renews no claim.
    const stopped = createFakeClock(clock.now());
    await start(store, stopped);
    await until(async () => {
      await stopped.advance(10);
      return attempts.length === 1;
    });
    const { lease_until: lapses } = (await delivery(attempts[0]!.id))!;
    await start(await database.openAnother());
    await until(() => attempts.length === 2);
    if (name === 'sqlite') expect(clock.now()).toBeLessThan(lapses);
    else expect(clock.now()).toBeGreaterThanOrEqual(lapses);
    expect(attempts[1]).toEqual(attempts[0]);
    killed.resolve(arrived);
  });

  it('remembers what it sent while the store accepts no writes, and does not send it twice', async () => {
    const sent = Promise.withResolvers<Sent>();
    answer = () => sent.promise;
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    let full = false;
    const refusing: Store = {
      ...store,
      write: (work, options) =>
        full
          ? Promise.reject(new ServiceError('unavailable', 'full', { retryAfterSeconds: 1 }))
          : store.write(work, options),
    };
    await start(refusing);
    await until(() => attempts.length === 1);
    full = true;
    sent.resolve(arrived);
    // Longer than the claim holds.
    for (let second = 0; second < 70; second++) await clock.advance(1000);
    full = false;
    await settled();
    expect(attempts).toHaveLength(1);
  });

  it('retries in time what failed before the clock was set back and was stored afterwards', async () => {
    answer = () => failing;
    await openTestAlert(store, 'a', { channel: 1, at: clock.now() });
    let full = false;
    const refusing: Store = {
      ...store,
      write: (work, options) =>
        full
          ? Promise.reject(new ServiceError('unavailable', 'full', { retryAfterSeconds: 1 }))
          : store.write(work, options),
    };
    const sent = Promise.withResolvers<Sent>();
    answer = () => sent.promise;
    await start(refusing);
    await until(() => attempts.length === 1);
    full = true;
    sent.resolve(failing);
    await clock.advance(200);
    await moveTimeline(store, { instance: { name: 'serve', region: 1 }, from: clock.now(), byMs: -hour }, clock);
    full = false;
    const { id } = attempts[0]!;
    await until(async () => (await delivery(id))!.lease_until === 0);
    const row = (await delivery(id))!;
    expect(row.next_at! - clock.now()).toBeLessThan(hour / 6);
    expect(row.tried_at).toBeLessThanOrEqual(clock.now());
    expect(row.tried_since).toBeLessThanOrEqual(clock.now());
  });

  it('sends waiting messages also when the clock is set back', async () => {
    const begun = clock.now();
    await openTestAlert(store, 'a', { channel: 1, at: begun });
    clock.setWall(-hour);
    await moveTimeline(store, { instance: { name: 'serve', region: 1 }, from: begun, byMs: -hour }, clock);
    await start();
    await settled();
    expect(what()).toEqual(['alarm a']);
    expect(clock.now()).toBeLessThan(begun - hour / 2);
  });

  it('reports how many channels have overdue messages', async () => {
    answer = () => new Promise(() => {});
    const deliveries = await start();
    for (let monitor = 1; monitor <= 6; monitor++)
      await openTestAlert(store, `a${monitor}`, { channel: 1, at: clock.now(), monitor });
    await until(() => attempts.length === 4);
    expect(await deliveries.overdue()).toBe(0);
    await until(async () => (await deliveries.overdue()) === 1, 1000);
  });

  it('leaves nothing behind when messages come and go at the same time', async () => {
    await start();
    let number = 0;
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      // Edits and outcomes are written in two kinds of transactions.
      const alert = { channel: 1 + (writer % 2), monitor: writer % 3, durable: writer < 3 };
      for (let count = 0; count < 15; count++)
        await openTestAlert(store, `a${number++}`, { ...alert, at: clock.now() });
    });
    const written = Promise.all(writers);
    await until(written.then(() => true));
    await settled();
    expect(attempts).toHaveLength(90);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(90);
  });

  const shared = async () => {
    for (let monitor = 0; monitor < 20; monitor++)
      await openTestAlert(store, `a${monitor}`, {
        channel: 1 + (monitor % 2),
        at: clock.now(),
        monitor,
        kinds: ['alarm', 'recovery'],
      });
    await start();
    await start(await database.openAnother());
    await start(await database.openAnother());
    await settled();
    expect(attempts).toHaveLength(40);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(40);
    for (let monitor = 0; monitor < 20; monitor++)
      expect(what().indexOf(`alarm a${monitor}`)).toBeLessThan(what().indexOf(`recovery a${monitor}`));
  };
  if (name === 'postgres') it('is shared by many daemons: one of them sends each message, in order', shared);
});
