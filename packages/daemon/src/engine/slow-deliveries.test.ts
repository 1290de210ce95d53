import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sent } from '../channels/index.ts';
import type { Store } from '../store/store.ts';
import { databases, type TestDatabase } from '../testing/databases.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { arrived, channelRow, createRecordingNotifier, failing, openTestAlert } from '../testing/outbox.ts';
import { projectRow } from '../testing/rows.ts';
import { startDeliveries } from './deliveries.ts';
import { storeAnswers } from '../testing/deliveries-world.ts';

const minute = 60_000;

describe.each(databases)('a message that takes minutes, on $name', ({ name, open }) => {
  let database: TestDatabase;
  let store: Store;
  let clock: FakeClock;
  const log = { debug() {}, info() {}, warn() {}, error() {} };

  beforeEach(async () => {
    database = await open();
    store = database.store;
    clock = createFakeClock();
    await store.db.insertInto('project').values(projectRow('prj')).execute();
    await store.db
      .insertInto('channel')
      .values(channelRow('chn_1', { type: 'email' }))
      .execute();
  });
  afterEach(() => database.dispose());

  /**
   * Moves the clock forward in steps until a condition holds. The store works in real time, so each step waits for an
   * answer of the store.
   */
  const until = async (condition: () => boolean | Promise<boolean>, stepMs = 10) => {
    const deadlineMonoMs = performance.now() + 50_000;
    while (!(await condition())) {
      if (performance.now() > deadlineMonoMs) throw new Error('The condition never held.');
      await clock.advance(stepMs);
      await storeAnswers(store);
    }
  };
  const row = () => store.db.selectFrom('delivery').selectAll().executeTakeFirstOrThrow();
  /**
   * Moves the clock forward by this many minutes. Every 20 s, checks that the claim is renewed: it must hold for at
   * least 30 s more.
   */
  const hold = async (minutes: number) => {
    for (let third = 0; third < 3 * minutes; third++) {
      await clock.advance(20_000);
      await until(async () => (await row()).lease_until > clock.now() + 30_000);
    }
  };

  it('a slow message stays claimed by the daemon that sends it, so that no other daemon sends it too', async () => {
    const answer = Promise.withResolvers<Sent>();
    const recording = createRecordingNotifier(() => answer.promise);
    const start = () => startDeliveries({ clock, log, random: () => 0 }, { store, notifier: recording.notifier });
    const daemons = [await start(), await start()];
    await openTestAlert(store, 'alr_1', { channel: 1, at: clock.now() });
    await until(() => recording.attempts.length > 0);
    await hold(4);
    expect(recording.attempts).toHaveLength(1);
    answer.resolve(arrived);
    await until(async () => (await row()).status === 'sent');
    expect(recording.attempts).toHaveLength(1);
    await Promise.all(daemons.map((one) => one.stop()));
  });

  it('a slow message gives its slot to another message of its channel after 20 s, if fewer than four messages did so already', async () => {
    const hung = Promise.withResolvers<Sent>();
    const recording = createRecordingNotifier(({ what }) => (what.startsWith('alarm good') ? arrived : hung.promise));
    const daemon = await startDeliveries({ clock, log, random: () => 0 }, { store, notifier: recording.notifier });
    const due = async (id: string, monitor: number) =>
      openTestAlert(store, id, { channel: 1, at: clock.now(), monitor });
    for (let monitor = 1; monitor <= 10; monitor++) await due(`bad${monitor}`, monitor);
    await due('good', 11);
    await until(() => recording.attempts.length === 4);
    await clock.advance(19_000);
    expect(recording.attempts).toHaveLength(4);
    // The four slow attempts gave up their slots. While a channel has such an attempt, it may use only one slot.
    await until(() => recording.attempts.length === 5);
    await clock.advance(60_000);
    expect(recording.attempts).toHaveLength(5);
    hung.resolve(arrived);
    await until(
      async () =>
        (await store.db.selectFrom('delivery').select('seq').where('status', '!=', 'sent').execute()).length === 0,
    );
    expect(new Set(recording.attempts.map(({ id }) => id)).size).toBe(11);
    expect(recording.attempts).toHaveLength(11);
    await daemon.stop();
  });

  // On PostgreSQL so many rows take too long for a test.
  if (name === 'sqlite')
    it('slow messages give their slots to other channels after 20 s, however many channels hang', async () => {
      await store.db
        .insertInto('channel')
        .values(Array.from({ length: 600 }, (_, at) => channelRow(`chn_${at + 2}`, { type: 'email' })))
        .execute();
      const hung = Promise.withResolvers<Sent>();
      const { notifier, attempts } = createRecordingNotifier(({ what }) =>
        what === 'alarm good' ? arrived : hung.promise,
      );
      const daemon = await startDeliveries({ clock, log, random: () => 0 }, { store, notifier });
      for (let channel = 2; channel <= 601; channel++)
        await openTestAlert(store, `alr_${channel}`, { channel, at: clock.now(), durable: false });
      await until(() => attempts.length === 500);
      await openTestAlert(store, 'good', { channel: 1, at: clock.now() });
      await clock.advance(19_000);
      expect(attempts).toHaveLength(500);
      await until(() => attempts.some(({ what }) => what === 'alarm good'));
      hung.resolve(arrived);
      await daemon.stop();
    });

  it('a slow message that fails is retried after its back-off, without waiting for the end of its renewed claim', async () => {
    const answer = Promise.withResolvers<Sent>();
    const { notifier, attempts } = createRecordingNotifier(() => answer.promise);
    const daemon = await startDeliveries({ clock, log, random: () => 0 }, { store, notifier });
    await openTestAlert(store, 'alr_1', { channel: 1, at: clock.now() });
    await until(() => attempts.length > 0);
    await hold(2);
    answer.resolve(failing);
    await until(async () => (await row()).attempts > 0);
    expect(await row()).toMatchObject({ status: 'pending', lease_until: 0 });
    expect((await row()).next_at! - clock.now()).toBeLessThan(minute);
    await daemon.stop();
  });

  it('attempts that hang at hundreds of channels of one project leave slots for the alarm of another project', async () => {
    const answers = Promise.withResolvers<Sent>();
    const { notifier, attempts } = createRecordingNotifier(() => answers.promise);
    const daemon = await startDeliveries({ clock, log, random: () => 0 }, { store, notifier });
    const hung = Array.from({ length: 600 }, (_, n) => channelRow(`chn_hung_${n}`));
    await store.db.insertInto('channel').values(hung).execute();
    const open = (n: number) =>
      openTestAlert(store, `alr_hung_${n}`, { channel: n + 2, at: clock.now(), monitor: n, durable: false });
    await Promise.all(hung.map((_, n) => open(n)));
    // The project of these channels gets only half of the 500 slots. A claim lasts one minute of the test's clock.
    // Small steps give a slow store time to answer before the claims end.
    await until(() => attempts.length === 250, 1);
    for (let look = 0; look < 10; look++) await clock.advance(250);
    expect(attempts).toHaveLength(250);

    await store.db.insertInto('project').values(projectRow('prj_2')).execute();
    await store.db
      .insertInto('channel')
      .values(channelRow('chn_near', { project_id: 'prj_2' }))
      .execute();
    await openTestAlert(store, 'alr_near', { channel: 602, at: clock.now(), project_id: 'prj_2', monitor: 900 });
    await until(() => attempts.some(({ what }) => what === 'alarm alr_near'));
    answers.resolve(arrived);
    await daemon.stop();
  });
});
