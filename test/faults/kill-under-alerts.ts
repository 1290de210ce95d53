import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type AlertReceiver, alertReceiver, type Behaviour, repeated, storyOf } from './alert-receiver.ts';
import { type DaemonProcess, type NewMonitor, startDaemonProcess } from './daemon-process.ts';
import { switchedTargets } from './switched-targets.ts';
import { until } from './until.ts';

/** A kill of the daemon: the times of the kill (`at`) and of the end of the restart (`over`), in epoch milliseconds. */
interface Kill {
  at: number;
  over: number;
}

const monitors = 100;
/** The maximum number of messages that the daemon sends to one channel at the same time. */
const places = 4;

/**
 * Kills the daemon with SIGKILL at a random moment, `times` times, while 100 monitors flap and three of four channels
 * misbehave. Expects at the end that each channel got one alarm and then one recovery for every outage. Only a message
 * that was being sent at a kill may arrive twice, with the same id.
 */
export async function killUnderAlerts(times: number): Promise<void> {
  await using targets = await switchedTargets();
  const mostly = (bad: Behaviour, share: number) => () => (Math.random() < share ? bad : 'accept');
  await using good = await alertReceiver('good');
  await using failing = await alertReceiver('failing', mostly('fail', 0.5));
  await using hanging = await alertReceiver('hanging', mostly('hang', 0.2));
  await using cutting = await alertReceiver('cutting', mostly('cut', 0.5));
  const receivers = [good, failing, hanging, cutting];

  await using daemon = await startDaemonProcess();
  const monitorIds = await Promise.all(
    Array.from({ length: monitors }, async (_, page) => {
      const fields: NewMonitor = { name: String(page), type: 'http', url: targets.url(page), interval: 1, timeout: 1 };
      return (await daemon.monitor(fields)).id;
    }),
  );
  const channelIds = await watch(daemon, { monitorIds, receivers });

  const kills: Kill[] = [];
  for (let kill = 1; kill <= times; kill++) {
    const flapping = setInterval(() => {
      for (let count = 0; count < 10; count++) {
        const page = Math.floor(Math.random() * monitors);
        targets.set(page, targets.isUp(page) ? 'failing' : 'up');
      }
    }, 100);
    try {
      // Does not wait for a fixed time, because the daemon finds the outages later on a busy machine.
      await until('there are ten outages for each kill', 30_000, () => countOutages(daemon) > kill * 10);
      await sleep(Math.random() * 2000);
    } finally {
      clearInterval(flapping);
    }
    const at = Date.now();
    await daemon.end('SIGKILL');
    await daemon.start();
    kills.push({ at, over: Date.now() });
  }

  // At the end, all targets are up. A change of a channel makes its waiting messages due at once.
  for (let page = 0; page < monitors; page++) targets.set(page, 'up');
  for (const receiver of receivers) receiver.behave = () => 'accept';
  let touched = 0;
  const touch = async () => {
    if (Date.now() - touched < 2000) return;
    touched = Date.now();
    for (const [at, { channel }] of receivers.entries()) {
      const config = { url: `${channel.config.url}/${touched}` };
      await daemon.request('PATCH', `/api/notification-channels/${channelIds[at]}`, { config });
    }
  };
  try {
    await until('every alert has arrived', 60_000, async () => {
      await touch();
      return settled(daemon);
    });
  } catch (error) {
    throw new Error(`Not settled: ${JSON.stringify(read(daemon).left)}`, { cause: error });
  }

  expectAllArrived(daemon, receivers, kills);
}

/**
 * Expects that each channel got an alarm for every outage, and then a recovery. A message may be repeated only at a
 * kill.
 */
function expectAllArrived(daemon: DaemonProcess, receivers: readonly AlertReceiver[], kills: Kill[]): void {
  const { deliveries, unreported } = read(daemon);
  expect(unreported, 'outages that opened no alert').toEqual([]);
  for (const receiver of receivers) {
    const { name } = receiver.channel;
    const sent = deliveries.filter((one) => one.channel === name);
    expect(
      sent.filter(({ status }) => status !== 'sent'),
      name,
    ).toEqual([]);
    const ids = new Set(receiver.received.map(({ id }) => id));
    expect(
      sent.filter(({ id }) => !ids.has(id)),
      `lost: ${name}`,
    ).toEqual([]);
    expect(ids.size, `never in the outbox: ${name}`).toBe(sent.length);
    const untrue = [...storyOf(receiver)].filter(([, events]) => events.some((event, at) => event !== expected(at)));
    expect(untrue, `monitors whose messages to ${name} are not alarm, recovery, alarm, recovery …`).toEqual([]);
    expectRepeatedAtKills(receiver, kills);
  }
}

const expected = (at: number) => (at % 2 === 0 ? 'monitor_down' : 'monitor_up');

async function watch(daemon: DaemonProcess, what: { monitorIds: string[]; receivers: AlertReceiver[] }) {
  const channelIds: string[] = [];
  for (const { channel } of what.receivers) {
    const response = await daemon.request('POST', '/api/notification-channels', channel);
    expect(response).toMatchObject({ status: 201 });
    channelIds.push((response.body as { id: string }).id);
  }
  const rule = { name: 'all', monitorIds: what.monitorIds, channelIds };
  expect(await daemon.request('POST', '/api/alert-rules', rule)).toMatchObject({ status: 201 });
  return channelIds;
}

/** Whether every monitor is up and no message is left to send. */
function settled(daemon: DaemonProcess): boolean {
  const database = daemon.open();
  try {
    const query = `select (select count(*) from delivery where status = 'pending') + (select count(*) from monitor_state where status != 'up')`;
    return database.prepare(query).pluck().get() === 0;
  } finally {
    database.close();
  }
}

function countOutages(daemon: DaemonProcess): number {
  const database = daemon.open();
  try {
    return database.prepare('select count(*) from outage').pluck().get() as number;
  } finally {
    database.close();
  }
}

function read(daemon: DaemonProcess) {
  const database = daemon.open();
  try {
    return {
      deliveries: database
        .prepare(
          `select delivery.id, delivery.kind, delivery.status, alert.channel_name as channel
           from delivery join alert on alert.seq = delivery.alert order by delivery.seq`,
        )
        .all() as { id: string; kind: string; status: string; channel: string }[],
      unreported: database
        .prepare(
          // Leaves out outages that began before the rule existed. On a busy machine, checks may time out that early.
          `select outage.id, channel.name from outage join channel
           where opened_at > (select created_at from rule)
           and not exists (select 1 from alert where subject = outage.id and alert.channel = channel.seq)`,
        )
        .all(),
      left: database.prepare(`select * from delivery where status = 'pending' limit 20`).all(),
    };
  } finally {
    database.close();
  }
}

/**
 * Expects that there was a kill between the two arrivals of a repeated message. Also expects that no kill repeated
 * more messages than the daemon sends at the same time.
 */
function expectRepeatedAtKills(receiver: AlertReceiver, kills: Kill[]): void {
  const byKill = new Map<Kill, number>();
  for (const id of repeated(receiver)) {
    const times = receiver.received.filter((one) => one.id === id).map(({ at }) => at);
    for (const [before, at] of times.slice(1).entries()) {
      // The receiver may read a message from its socket after the kill. So a kill lasts until the end of the restart.
      const kill = kills.find((one) => one.over >= times[before]! && one.at <= at);
      const when = `at ${times.join(', ')}; kills: ${JSON.stringify(kills)}`;
      expect(kill, `${id} came twice to ${receiver.channel.name} without a kill between, ${when}`).toBeDefined();
      byKill.set(kill!, (byKill.get(kill!) ?? 0) + 1);
    }
  }
  expect(Math.max(0, ...byKill.values()), 'repeated at one kill').toBeLessThanOrEqual(places);
}
