import { sql } from 'kysely';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Sent } from '../channels/index.ts';
import type { Store } from '../store/store.ts';
import { type TestDatabase } from './databases.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type Attempt, arrived, channelRow, createRecordingNotifier } from './outbox.ts';
import { projectRow } from './rows.ts';
import { startDeliveries } from '../engine/deliveries.ts';
import type { InterruptibleLoop } from '../engine/loop.ts';
import type { TestDatabaseKind } from './databases.ts';

/** Resolves when the store has answered a trivial query. */
export const storeAnswers = (store: Store) => sql`select 1`.execute(store.db);

/** Makes an outbox, a clock and the loop of deliveries for each test. Call this function in a describe block. */
export function createDeliveriesWorld({ open }: Pick<TestDatabaseKind, 'open'>) {
  let database: TestDatabase;
  let store: Store;
  let clock: FakeClock;
  let running: InterruptibleLoop[];
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

  /**
   * Moves time forward in steps of 10 ms until a condition holds. The store works in real time, so each step waits for
   * an answer of the store. Otherwise the lease of a delivery would end while a busy machine still writes.
   */
  const until = async (condition: Promise<boolean> | (() => boolean | Promise<boolean>), step = 10) => {
    let met = false;
    if (typeof condition !== 'function') void condition.then(() => (met = true));
    const deadlineMonoMs = performance.now() + 60_000;
    while (!met) {
      if (typeof condition === 'function') met = await condition();
      if (met) return;
      if (performance.now() > deadlineMonoMs)
        throw new Error(`The condition never held; sent until then: ${JSON.stringify(attempts)}`);
      await clock.advance(step);
      await storeAnswers(store);
    }
  };
  const delivery = (id: string) => store.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirst();
  const unfinished = async () =>
    (await store.db.selectFrom('delivery').select('seq').where('status', '=', 'pending').execute()).length;
  const settled = () => until(async () => (await unfinished()) === 0);
  /** Moves time forward by a second, so that the loop reads the outbox a few times. */
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

  /**
   * Moves the clock from one due attempt to the next, and waits for the end of each attempt, until the message is given
   * up.
   */
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

  return {
    get database() {
      return database;
    },
    get store() {
      return store;
    },
    get clock() {
      return clock;
    },
    get running() {
      return running;
    },
    set running(value) {
      running = value;
    },
    get answer() {
      return answer;
    },
    set answer(value) {
      answer = value;
    },
    get attempts() {
      return attempts;
    },
    start,
    until,
    delivery,
    unfinished,
    settled,
    look,
    what,
    alerts,
    channel,
    logged,
    untilGivenUp,
  };
}
