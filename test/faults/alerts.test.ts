import { expect, test } from 'vitest';
import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';
import { databases, type TestDatabaseKind } from '../../packages/daemon/src/testing/databases.ts';
import { passingCheck } from '../../packages/daemon/src/testing/passing-check.ts';
import { createTestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';
import { alertReceiver, repeated, storyOf } from './alert-receiver.ts';
import { createChannel, createMonitor, createRule, type Requests } from './create.ts';
import { until } from './until.ts';
import { allResults } from '../../packages/daemon/src/testing/all-results.ts';

const [sqlite, postgres] = databases as [TestDatabaseKind, TestDatabaseKind];

/** A check that fails if `down` returns true for the address of the monitor. */
const checkBy =
  (down: (url: string) => boolean) =>
  async (fields: object): ReturnType<typeof passingCheck> => {
    const outcome = await passingCheck();
    if (!('url' in fields) || !down(String(fields.url))) return outcome;
    return { ...outcome, verdict: 'down', statusCode: 500, error: { code: 'http_status', message: 'answered 500' } };
  };

const many = async (daemon: Requests, count: number) => {
  const ids: string[] = [];
  for (let at = 0; at < count; at++)
    ids.push(await createMonitor(daemon, { name: String(at), url: `http://target.test/${at}` }));
  return ids;
};

test('while 100 monitors are down, 10 restarts of the daemon repeat no alarm and lose no recovery', async () => {
  let down = true;
  const daemon = await createTestDaemon({ runCheck: checkBy(() => down) });
  await using receiver = await alertReceiver('receiver');
  try {
    const monitorIds = await many(daemon, 100);
    await createRule(daemon, { monitorIds, channelIds: [await createChannel(daemon, receiver)] });
    await until('all alarms arrived', 10_000, () => receiver.received.length === 100);
    for (let restart = 0; restart < 10; restart++) await daemon.restart();
    // Waits until each monitor was checked again.
    const { store } = daemon;
    const checkedLast = async () => lastTimes(await allResults(store));
    const restarted = Date.now();
    await until('each monitor is checked again', 5000, async () => (await checkedLast()).every((at) => at > restarted));
    expect(receiver.received).toHaveLength(100);

    down = false;
    await until('all recoveries arrived', 10_000, () => receiver.received.length === 200);
    expect([...storyOf(receiver).values()]).toEqual(monitorIds.map(() => ['monitor_down', 'monitor_up']));
  } finally {
    await daemon.close();
  }
});

test.each([
  { database: sqlite, count: 200 },
  { database: postgres, count: 40 },
] as const)(
  'a receiver that hangs, refuses or fails delays neither a working channel nor checks, on $database.name',
  async ({ database, count }) => {
    let down = false;
    const daemon = await createTestDaemon({ database, runCheck: checkBy(() => down) });
    await using good = await alertReceiver('good');
    await using hanging = await alertReceiver('hanging', () => 'hang');
    await using failing = await alertReceiver('failing', () => 'fail');
    const refusing = await alertReceiver('refusing');
    await refusing[Symbol.asyncDispose]();
    try {
      const channelIds = [];
      for (const receiver of [hanging, refusing, failing, good]) channelIds.push(await createChannel(daemon, receiver));
      const monitorIds = await many(daemon, count);
      await createRule(daemon, { monitorIds, channelIds });
      down = true;
      await until('the good channel has all alarms', 30_000, () => good.received.length === count);
      expect(hanging.requests()).toBe(4);
      // Messages to the failing channel may be sent after those to the working channel, so the test waits for them.
      await until('the failing channel was tried for each alarm', 5000, () => failing.requests() >= count);
      expect(repeated(good)).toEqual(new Set());
      // Checks continue although channels hang and fail.
      const since = Date.now();
      const checkedLast = async () => lastTimes(await allResults(daemon.store));
      await until('each monitor is checked', 5000, async () => (await checkedLast()).every((at) => at > since));
      const warnings = async () => ((await daemon.request('GET', '/healthz')).body as { warnings: string[] }).warnings;
      await until('health reports the missing messages', 5000, async () =>
        (await warnings()).some((one) => one.includes('did not arrive')),
      );
    } finally {
      const closed = daemon.close();
      // Without this call, `close` would wait until the message to the hanging channel times out.
      daemon.interrupt();
      await closed;
    }
    expect(good.received).toHaveLength(count);
  },
);

test('an interrupted stop does not wait for a hanging channel, and the next start repeats the message with the same id', async () => {
  const daemon = await createTestDaemon({ runCheck: checkBy(() => true) });
  const ids: string[] = [];
  await using receiver = await alertReceiver('hanging', ({ id }) => (ids.push(id) === 1 ? 'hang' : 'accept'));
  try {
    const monitorIds = await many(daemon, 1);
    await createRule(daemon, { monitorIds, channelIds: [await createChannel(daemon, receiver)] });
    await until('the receiver hangs', 5000, () => ids.length === 1);
    const begun = performance.now();
    const restarted = daemon.restart();
    daemon.interrupt();
    await restarted;
    expect(performance.now() - begun).toBeLessThan(boundMs(3000));
    await until('the message arrived', 5000, () => receiver.received.length === 1);
    expect(ids).toEqual([ids[0], ids[0]]);
  } finally {
    await daemon.close();
  }
});

test('a bad receiver, a deleted channel and an unreadable config are reported, and all other messages arrive', async () => {
  let down = false;
  const daemon = await createTestDaemon({ runCheck: checkBy(() => down) });
  await using good = await alertReceiver('good');
  await using bad = await alertReceiver('bad', () => 'fail');
  await using doomed = await alertReceiver('doomed', () => 'fail');
  await using unreadable = await alertReceiver('unreadable');
  try {
    const ids: Record<string, string> = {};
    for (const receiver of [bad, doomed, unreadable, good])
      ids[receiver.channel.name] = await createChannel(daemon, receiver);
    const monitorIds = await many(daemon, 20);
    await createRule(daemon, { monitorIds, channelIds: Object.values(ids) });
    const { db } = daemon.store;
    await db.updateTable('channel').set({ config: 'v1.gone' }).where('id', '=', ids.unreadable!).execute();
    down = true;
    await until('the good channel has all alarms', 10_000, () => good.received.length === 20);
    await until('the channel that will be deleted was tried', 5000, () => doomed.requests() > 0);
    expect(await daemon.request('DELETE', `/api/notification-channels/${ids.doomed}`)).toMatchObject({ status: 204 });

    const channels = (await daemon.request('GET', '/api/notification-channels')).body as {
      name: string;
      lastError: string | null;
      lastSentAt: string | null;
    }[];
    expect(channels.find(({ name }) => name === 'good')).toMatchObject({ lastError: null });
    expect(channels.find(({ name }) => name === 'bad')).toMatchObject({ lastError: 'HTTP 500 not now' });
    expect(channels.find(({ name }) => name === 'unreadable')?.lastError).toContain('cannot be read');
    const health = await daemon.request('GET', '/healthz');
    const warnings = (health.body as { warnings: string[] }).warnings.join('\n');
    for (const name of ['bad', 'unreadable']) expect(warnings).toContain(ids[name]);
    const history = async () =>
      (await daemon.request('GET', '/api/alert-history')).body as {
        channelName: string;
        deliveryStatus: string;
        error: string | null;
      }[];
    await until("the deleted channel's missing message is reported", 5000, async () =>
      (await history())
        .filter(({ channelName }) => channelName === 'doomed')
        .every(({ deliveryStatus, error }) => deliveryStatus === 'failed' && error === 'The channel was deleted.'),
    );
    // A new config replaces the unreadable one, and repairs the channel.
    await daemon.request('PATCH', `/api/notification-channels/${ids.unreadable}`, {
      config: unreadable.channel.config,
    });
    await until('the repaired channel has its alarms', 10_000, () => unreadable.received.length === 20);
  } finally {
    await daemon.close();
  }
});

/** Returns when each monitor was last checked, in epoch milliseconds. */
function lastTimes(results: readonly { monitor: number; at: number }[]): number[] {
  const last = new Map<number, number>();
  for (const { monitor, at } of results) last.set(monitor, at);
  return [...last.values()];
}
