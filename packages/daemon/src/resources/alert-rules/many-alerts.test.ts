import { describe, expect, test } from 'vitest';
import { createAlertRulesWorld, type Shown } from '../../testing/alert-rules-world.ts';
import { databases } from '../../testing/databases.ts';

describe.each(databases)('many alerts of one monitor on $name', (database) => {
  const world = createAlertRulesWorld(database);
  const { made, channel, monitor, rule, patch, round, alertsOf } = world;

  const names = (alerts: Shown[]) =>
    alerts.map(({ ruleName, channelId }) => `${String(ruleName)} ${String(channelId)}`);
  /** Creates 30 rules that watch the monitor. Each rule has two channels. */
  const watch = async (id: string) => {
    const fields = (name: string) => ({ name, monitorIds: [id], channelIds: world.channelIds });
    const made = await Promise.all(Array.from({ length: 30 }, (_, at) => rule(fields(`many ${at}`))));
    return made.flatMap(({ name }) => world.channelIds.map((channelId) => `${String(name)} ${channelId}`)).toSorted();
  };
  const openOf = async (id: string) => (await alertsOf(id)).filter(({ resolvedAt }) => resolvedAt === null);

  test('if a monitor has many alerts, each of them opens and resolves only once, in several transactions', async () => {
    const id = await monitor();
    const expected = await watch(id);
    await round(id, true);
    await expect.poll(() => openOf(id), { timeout: 30_000 }).toHaveLength(expected.length);
    expect(names(await openOf(id)).toSorted()).toEqual(expected);
    await round(id, false);
    await expect.poll(() => openOf(id), { timeout: 30_000 }).toEqual([]);
    expect(await alertsOf(id)).toHaveLength(expected.length);
  });

  test('a new rule that watches a failed job opens the alerts for all its channels, in several transactions', async () => {
    const { id, pingUrl } = await made('/api/monitors', { type: 'heartbeat', name: 'job' });
    await world.daemon.request('GET', `${new URL(String(pingUrl)).pathname}/fail`, undefined, { apiKey: null });
    const expected = await watch(id);
    await expect.poll(async () => names(await openOf(id)).toSorted(), { timeout: 10_000 }).toEqual(expected);
    await world.daemon.request('DELETE', `/api/monitors/${id}`);
    expect(await openOf(id)).toEqual([]);
  });

  test('the API refuses a new or changed rule if one monitor would then open more than 500 alerts', async () => {
    const id = await monitor({ name: 'shop' });
    const channelIds = await Promise.all(Array.from({ length: 50 }, (_, at) => channel(`c${at}`)));
    const fields = { name: 'r', monitorIds: [id], channelIds };
    for (let count = 0; count < 10; count++) await rule(fields);
    const detail = expect.stringContaining('the monitor "shop" would open 501 alerts') as string;
    const one = { ...fields, channelIds: channelIds.slice(0, 1) };
    expect(await world.daemon.request('POST', '/api/alert-rules', one)).toMatchObject({
      status: 409,
      body: { detail },
    });
    const other = await rule({ ...one, monitorIds: [] });
    expect(await patch(other.id, { monitorIds: [id] })).toMatchObject({ status: 409, body: { detail } });
    expect((await patch(other.id, {})).body).toMatchObject({ monitorIds: [] });
  });
});
