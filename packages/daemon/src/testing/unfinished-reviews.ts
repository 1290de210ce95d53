import { sql } from 'kysely';
import { maxAlertsAtOnce } from '../alerting/review-alerts.ts';
import { reviewDue } from '../engine/reviews.ts';
import { endWindow } from '../lifecycle/end-window.ts';
import { changeMonitor } from '../lifecycle/monitor-life.ts';
import { createRecordAllPings } from '../recording/record-pings.ts';
import { reviewRule } from '../resources/alert-rules/review-rule.ts';
import type { TestDatabase } from './databases.ts';
import { createCheckRecording } from './record-check.ts';
import { begunAt, createWatchedProject, minute, monitorFields, type WatchedProject } from './watched-project.ts';

/** Number of channels of each rule: so many that one transaction cannot write an alert for each channel. */
export const channelsOfRule = maxAlertsAtOnce + 4;

export type UnfinishedEvent =
  | { do: 'check'; failed: boolean }
  | { do: 'ping'; failed: boolean }
  | { do: 'review'; atOnce: number }
  | { do: 'window'; minutes: number }
  | { do: 'pause' }
  | { do: 'rule'; channels: number }
  | { do: 'setBack' };

type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * Creates two monitors that two rules watch, each rule with many channels. Alerts are reviewed only when an event of
 * the test demands it.
 */
export async function createUnfinishedReviews(database: TestDatabase) {
  const world = await createWorld(database);
  const { time, store } = world;
  const { check, ping, pauseAndResume } = createMonitorActs(world);
  const { review, endWindows, openWindow, setChannels } = createOtherActs(world);

  return {
    async play(event: UnfinishedEvent) {
      time.at++;
      await endWindows();
      if (event.do === 'check') await check(event.failed);
      else if (event.do === 'ping') await ping(event.failed ? 'failure' : 'success');
      else if (event.do === 'review') for (let n = 0; n < event.atOnce; n++) await review();
      else if (event.do === 'rule') await setChannels(event.channels);
      else if (event.do === 'pause') await pauseAndResume();
      else if (event.do === 'setBack') await setBack(store);
      else await openWindow(event.minutes);
    },

    /**
     * Ends the maintenance windows, records failed checks of the monitor `shop` if it is down, and finishes the
     * reviews. Returns the alerts and messages that do not fit the statuses.
     */
    async faultsAtEnd(): Promise<string[]> {
      time.at += 10;
      await endWindows();
      for (let round = 0; round < 2; round++) {
        time.at++;
        if ((await statusOf(store, world.shop)) === 'down') await check(true);
        for (let n = 0; n < 20 && (await review()) > 0; n++);
      }
      const faults = [];
      for (const monitor of world.monitors) {
        const isDown = (await statusOf(store, monitor)) === 'down';
        for (const rule of world.rules)
          faults.push(...(await faultsOf(store, { monitor, rule, isDown, channels: world.channels })));
      }
      return [...faults, ...(await faultsOfMessages(store))];
    },
  };
}

async function createWorld(database: TestDatabase) {
  const { store } = database;
  const project = await createWatchedProject(store);
  const shop = await project.addMonitor('shop', { url: 'https://example.com/' });
  const job = await project.addMonitor('job', { type: 'heartbeat', interval: 86_400, gracePeriod: 0 });
  const monitors = [shop, job];
  const time = { at: 1, now: () => begunAt + time.at * minute };
  // On PostgreSQL, two nodes review at once.
  const stores = [store, store.dialect.exclusive ? store : await database.openAnother()];
  return { store, stores, project, shop, monitors, time, ...(await addRules(project, monitors)) };
}

function createMonitorActs({ store, project, shop, time }: World) {
  const record = createCheckRecording(store);
  const recordPings = createRecordAllPings(store);
  const fields = monitorFields({ name: 'shop', url: 'https://example.com/' });
  let generation = 1;
  return {
    check: (failed: boolean) =>
      store.write((trx) => record(trx, project.finished(shop, time.at, failed ? 'http_status' : null, { generation }))),
    ping: (kind: 'success' | 'failure') =>
      store.write((trx) => recordPings(trx, [{ token: 'job', kind, exitCode: null, metrics: null, at: time.now() }])),
    pauseAndResume: async () => {
      for (const paused of [true, false]) {
        const [before, after] = [
          { ...fields, paused: !paused },
          { ...fields, paused },
        ];
        await store.write((trx) => changeMonitor(trx, { seq: shop, before, after, now: time.now() }));
        generation++;
      }
    },
  };
}

function createOtherActs({ store, stores, project, monitors, rules, channels, time }: World) {
  const windows: { seq: number; end: number }[] = [];
  return {
    /** Writes a part of the alerts of each monitor whose review is due. Returns the number of these monitors. */
    review: async () => {
      const states = store.db.selectFrom('monitor_state').select('monitor');
      const due = await states.where('expiry_review_at', '<=', time.now()).execute();
      for (const { monitor } of due)
        await Promise.all(stores.map((one) => one.write((trx) => reviewDue(trx, monitor, time.now()))));
      return due.length;
    },
    endWindows: async () => {
      for (const { seq, end } of windows)
        if (end <= time.now()) await store.write((trx) => endWindow(trx, seq, time.now()));
    },
    openWindow: async (minutes: number) => {
      const [start, end] = [time.now(), time.now() + minutes * minute];
      if (windows.every((one) => one.end <= start))
        windows.push({ seq: await project.addWindow(monitors, start, end), end });
    },
    setChannels: (count: number) =>
      store.write(async (trx) => {
        const [rule] = rules;
        await trx.deleteFrom('rule_channel').where('rule', '=', rule).execute();
        for (const [position, channel] of channels.slice(0, count).entries())
          await trx.insertInto('rule_channel').values({ rule, channel, position }).execute();
        await reviewRule(trx, { rule, trigger: 'monitor_down', monitors, now: time.now() });
      }),
  };
}

async function addRules(project: WatchedProject, monitors: number[]) {
  const channels = [];
  for (let at = 0; at < channelsOfRule; at++)
    channels.push(await project.addChannel(`many${at}`, at % 5 === 0 ? 'pagerduty' : 'slack'));
  const rules = [
    await project.addRule('first', { monitors, channels }),
    await project.addRule('second', { monitors, channels, consecutive_failures: 2 }),
  ] as const;
  return { channels, rules };
}

type Store = TestDatabase['store'];

const statusOf = async ({ db }: Store, monitor: number) =>
  (await db.selectFrom('monitor_state').select('status').where('monitor', '=', monitor).executeTakeFirstOrThrow())
    .status;

/** Moves the times of all stored reviews an hour into the future, as if the wall clock had been set back. */
const setBack = ({ db }: Store) =>
  db
    .updateTable('monitor_state')
    .set({ expiry_review_at: sql`expiry_review_at + ${sql.lit(60 * minute)}` })
    .where('expiry_review_at', '>', 0)
    .execute();

async function faultsOf(
  { db }: Store,
  { monitor, rule, isDown, channels }: { monitor: number; rule: number; isDown: boolean; channels: readonly number[] },
): Promise<string[]> {
  const open = await db
    .selectFrom('alert')
    .select('channel')
    .where('monitor', '=', monitor)
    .where('rule', '=', rule)
    .where('resolved_at', 'is', null)
    .execute();
  const ruleChannels = await db.selectFrom('rule_channel').select('channel').where('rule', '=', rule).execute();
  return channels.flatMap((channel) => {
    const count = open.filter((one) => one.channel === channel).length;
    const wanted = ruleChannels.some((one) => one.channel === channel);
    const isRight = isDown ? count === 1 || (count === 0 && !wanted) : count === 0;
    return isRight ? [] : [`monitor ${monitor}, rule ${rule}, channel ${channel}: ${count} open, down: ${isDown}`];
  });
}

/** Returns alerts with wrong messages. An alert must have one alarm, and one recovery if it ended with `recovered`. */
async function faultsOfMessages({ db }: Store): Promise<string[]> {
  const alerts = await db.selectFrom('alert').select(['seq', 'end_reason']).execute();
  const messages = await db.selectFrom('delivery').select(['alert', 'kind']).execute();
  return alerts.flatMap(({ seq, end_reason }) => {
    const own = messages.filter(({ alert }) => alert === seq);
    const [alarms, recoveries] = ['alarm', 'recovery'].map((kind) => own.filter((one) => one.kind === kind).length);
    const isRight = alarms === 1 && recoveries === (end_reason === 'recovered' ? 1 : 0);
    return isRight ? [] : [`alert ${seq}: ${alarms} alarms, ${recoveries} recoveries, ${end_reason}`];
  });
}
