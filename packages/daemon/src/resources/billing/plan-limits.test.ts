import { describe, expect, test } from 'vitest';
import { joinRegion } from '../../lifecycle/join-region.ts';
import { createPlans } from '../../testing/billing.ts';
import { databases } from '../../testing/databases.ts';
import { createBillingWorld, team, type Shown } from '../../testing/billing-world.ts';

describe.each(databases)('billing on $name', (database) => {
  const world = createBillingWorld(database);

  const { someone, asUser, request, create, created, read, paused, toTeam, cancel } = world;

  test('the API refuses a monitor beyond the limit of the plan, which counts the monitors of all projects of the account', async () => {
    await someone();
    await created('a');
    const other = await world.daemon.request('POST', '/api/projects', { name: 'other' }, asUser());
    const { apiKey } = other.body as { apiKey: string };
    const fields = { type: 'heartbeat', name: 'b' };
    expect((await world.daemon.request('POST', '/api/monitors', fields, { apiKey })).status).toBe(201);
    const refused = await create('c');
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: 'plan_limit_exceeded',
        detail:
          'The plan Free allows 2 monitors, and this is number 3. The plan Team (19.99 USD a month) has room for it.',
        errors: [{ path: '' }],
      },
    });
    expect(
      (await world.daemon.request('DELETE', `/api/projects/${(other.body as Shown).id}`, undefined, { apiKey })).status,
    ).toBe(204);
    await created('c');
  });

  test("concurrent creates in two projects do not exceed the plan's limit", async () => {
    await someone();
    const other = await world.daemon.request('POST', '/api/projects', { name: 'other' }, asUser());
    const keys = [world.user.apiKey, (other.body as { apiKey: string }).apiKey];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        world.daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: `h${i}` }, { apiKey: keys[i % 2]! }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(6);
  });

  test('a monitor with a too short interval or too many regions can be neither created nor patched, and the error names the field', async () => {
    await someone();
    const fast = await create('fast', { interval: 5 });
    expect(fast).toMatchObject({
      status: 402,
      body: {
        detail: 'interval must be at least 60 with the plan Free, not 5. No plan has room for it.',
        errors: [{ path: 'interval' }],
      },
    });
    const id = await created('slow');
    expect((await request('PATCH', `/api/monitors/${id}`, { interval: 30 })).body).toMatchObject({
      code: 'plan_limit_exceeded',
      errors: [{ path: 'interval', message: expect.stringContaining('Team') as string }],
    });
    const wide = await request('PATCH', `/api/monitors/${id}`, { regions: ['eu', 'us'], interval: 10 });
    expect((wide.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      'interval',
      'regions',
    ]);
    expect((await read(id)).interval).toBe(60);
    expect((await create('beat', { type: 'heartbeat', host: undefined, port: undefined, interval: 1 })).status).toBe(
      201,
    );
  });

  test('a monitor that already exceeds the plan may keep its values, and a suggested plan has room for these values too', async () => {
    await someone();
    await toTeam();
    const id = await created('wide', { regions: ['eu', 'us'] });
    await cancel();
    expect((await request('PATCH', `/api/monitors/${id}`, { name: 'as wide' })).status).toBe(200);
    const [quick] = await createPlans(world.daemon, [{ ...team, name: 'Quick', regions: 1, price: 1 }]);
    const faster = await request('PATCH', `/api/monitors/${id}`, { interval: 10 });
    expect(faster).toMatchObject({
      status: 402,
      body: { errors: [{ path: 'interval', message: expect.stringContaining('The plan Team ') as string }] },
    });
    await world.daemon.request('DELETE', `/api/billing/plans/${quick!.id}`, undefined, { cookie: world.daemon.cookie });
  });

  test('paused monitors resume when a delete, a slower interval or a larger plan makes room for them', async () => {
    await someone();
    await toTeam();
    const ids = [await created('fast', { interval: 10 }), await created('a'), await created('b'), await created('c')];
    await cancel();
    expect(await paused(...ids)).toEqual([true, false, false, true]);
    await request('DELETE', `/api/monitors/${ids[1]!}`);
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([true, false, false]);
    // The first monitor is checked slowly enough now. It is the oldest monitor, so it runs again, and the youngest
    // monitor is paused instead.
    expect((await request('PATCH', `/api/monitors/${ids[0]!}`, { interval: 60 })).status).toBe(200);
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([false, false, true]);
    const plan = `/api/billing/plans/${world.plans[0]!.id}`;
    await world.daemon.request('PATCH', plan, { monitors: 3 }, { cookie: world.daemon.cookie });
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([false, false, false]);
    await world.daemon.request('PATCH', plan, { monitors: 1 }, { cookie: world.daemon.cookie });
    expect(await paused(ids[0]!, ids[2]!, ids[3]!)).toEqual([false, true, true]);
    await world.daemon.request('PATCH', plan, { monitors: 2 }, { cookie: world.daemon.cookie });
  });

  test('paused monitors resume when the delete of another project makes room for them', async () => {
    await someone();
    await toTeam();
    const other = await world.daemon.request('POST', '/api/projects', { name: 'other' }, asUser());
    const { apiKey } = other.body as { apiKey: string };
    for (const name of ['a', 'b']) {
      const fields = { type: 'heartbeat', name };
      expect((await world.daemon.request('POST', '/api/monitors', fields, { apiKey })).status).toBe(201);
    }
    const id = await created('c');
    await cancel();
    expect(await paused(id)).toEqual([true]);
    const path = `/api/projects/${(other.body as Shown).id}`;
    expect((await world.daemon.request('DELETE', path, undefined, { apiKey })).status).toBe(204);
    expect(await paused(id)).toEqual([false]);
  });

  test('a monitor that its owner paused stays paused when the plan has room for it', async () => {
    await someone();
    await toTeam();
    const ids = [await created('a'), await created('b'), await created('c', { paused: true })];
    await cancel();
    expect(await read(ids[2]!)).toMatchObject({ status: 'paused', paused: true, pausedReason: 'plan' });
    await toTeam();
    expect(await read(ids[2]!)).toMatchObject({ status: 'paused', paused: true, pausedReason: null });
  });

  test('the suggested plan can be bought, and has room for everything that the account has', async () => {
    await someone();
    await toTeam();
    await created('a');
    const id = await created('b');
    const others = await createPlans(world.daemon, [
      { ...team, name: 'One', monitors: 1, checkInterval: 1, price: 1 },
      { ...team, name: 'Free too', monitors: 99, checkInterval: 1, price: 0 },
      { ...team, name: 'Roomy', checkInterval: 1, price: 50 },
    ]);
    expect((await request('PATCH', `/api/monitors/${id}`, { interval: 5 })).body).toMatchObject({
      detail: expect.stringContaining('The plan Roomy (50 USD a month) has room for it.') as string,
    });
    for (const other of others)
      await world.daemon.request('DELETE', `/api/billing/plans/${other.id}`, undefined, {
        cookie: world.daemon.cookie,
      });
  });

  test('a monitor that the plan pauses sends no alarm, and its open alert is resolved', async () => {
    await someone();
    await toTeam();
    await created('a');
    await created('b');
    const beat = await created('c', { type: 'heartbeat', host: undefined, port: undefined });
    const { pingUrl } = await read(beat);
    const channel = await request('POST', '/api/notification-channels', {
      name: 'ops',
      type: 'webhook',
      config: { url: 'http://127.0.0.1:9/' },
    });
    await request('POST', '/api/alert-rules', {
      name: 'down',
      trigger: 'monitor_down',
      monitorIds: [beat],
      channelIds: [(channel.body as Shown).id],
    });
    await fetch(`${String(pingUrl)}/fail`);
    const history = async () =>
      (await request('GET', '/api/alert-history')).body as { resolvedAt: string | null; type: string }[];
    expect(await history()).toMatchObject([{ type: 'monitor_down', resolvedAt: null }]);
    await cancel();
    expect(await history()).toMatchObject([{ type: 'monitor_down', resolvedAt: expect.any(String) as string }]);
  });

  test('a monitor that names no regions is checked from as many regions as the plan allows, even after a new region appears', async () => {
    await someone();
    const { db } = world.daemon.store;
    const join = (name: string) => joinRegion(world.daemon.store, `${name}-${world.count}`, Date.now());
    const regions = async (id: string) => {
      const { seq } = await db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
      return (await db.selectFrom('schedule').select('region').where('monitor', '=', seq).execute()).length;
    };
    await join('eu');
    const id = await created('everywhere');
    expect(await regions(id)).toBe(1);
    await toTeam();
    expect(await regions(id)).toBe(2);
    await join('us');
    expect(await regions(id)).toBe(2);
    const named = await request('PATCH', `/api/monitors/${id}`, { regions: [`eu-${world.count}`] });
    expect([named.status, await regions(id)]).toEqual([200, 1]);
    // A change of the limit does not affect a monitor that names its regions. Its generation stays the same, so the
    // result of a running check is still stored.
    const generation = () => db.selectFrom('monitor').select('generation').where('id', '=', id).executeTakeFirst();
    const before = await generation();
    await cancel();
    expect(await generation()).toEqual(before);
    await request('PATCH', `/api/monitors/${id}`, { regions: null });
    expect([await regions(id), await paused(id)]).toEqual([1, [false]]);
  });
});
