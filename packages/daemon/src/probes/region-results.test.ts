import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

describe.each(databases)('the regions of a monitor on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const join = async (region: string) => {
    const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
    const probe = createFakeProbe(daemon, (body as { token: string }).token);
    await probe.sync();
    await daemon.store.db.updateTable('probe').set({ first_seen_at: 0 }).where('name', '=', probe.name).execute();
    return probe;
  };
  const create = async (regions: string[], fields: object = {}) => {
    const input = { type: 'tcp', name: 'm', host: 'h', port: 1, interval: 60, regions, ...fields };
    const { id } = (await daemon.request('POST', '/api/monitors', input)).body as { id: string };
    // The server accepts results from before the test only if the monitor looks old.
    const { seq } = await daemon.store.db
      .updateTable('monitor')
      .set({ created_at: 0 })
      .where('id', '=', id)
      .returning('seq')
      .executeTakeFirstOrThrow();
    return { id, monitor: seq };
  };
  const read = async (id: string) =>
    (await daemon.request('GET', `/api/monitors/${id}`)).body as Record<string, unknown>;

  test('a check on request of a monitor that only probes check fails, and the error names the regions of the monitor', async () => {
    await join('eu');
    const { id } = await create(['eu', 'us']);
    expect(await daemon.request('POST', `/api/monitors/${id}/check`)).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        detail: expect.stringMatching(
          / regions \(eu, us\)\. Wait for the next check .*`uptime monitors test`/,
        ) as string,
      },
    });
  });

  test('the API shows the latest result of each region, and the status `unknown` for a silent region', async () => {
    const [eu, us, asia] = [await join('eu'), await join('us'), await join('asia')];
    const { id, monitor } = await create(['eu', 'us', 'asia']);
    // Makes the monitor look as if it had existed for longer than three intervals. Only then can a region be `unknown`.
    await daemon.store.db
      .updateTable('monitor_state')
      .set({ watched_since: 0 })
      .where('monitor', '=', monitor)
      .execute();
    const now = Date.now();
    expect(await read(id)).toMatchObject({
      regionResults: ['asia', 'eu', 'us'].map((region) => ({ region, status: 'unknown', checkedAt: null })),
    });
    await asia.send([{ monitor, at: now - 170_000 }]);
    await eu.send([{ monitor, at: now - 20_000, responseTime: 12.3, statusCode: 200 }]);
    await us.send([{ monitor, at: now - 10_000, verdict: 'down', responseTime: null }]);
    expect((await read(id))['regionResults']).toEqual([
      {
        region: 'asia',
        status: 'up',
        responseTime: 5,
        statusCode: null,
        error: null,
        checkedAt: new Date(now - 170_000).toISOString(),
      },
      {
        region: 'eu',
        status: 'up',
        responseTime: 12.3,
        statusCode: 200,
        error: null,
        checkedAt: new Date(now - 20_000).toISOString(),
      },
      {
        region: 'us',
        status: 'down',
        responseTime: null,
        statusCode: null,
        error: { code: 'connect_refused', message: 'refused' },
        checkedAt: new Date(now - 10_000).toISOString(),
      },
    ]);
    const ofRegion = await daemon.request('GET', `/api/monitors/${id}/response-times?region=eu`);
    expect(ofRegion.body).toMatchObject([{ region: 'eu', responseTime: 12.3 }]);
    expect(await daemon.request('GET', `/api/monitors/${id}/response-times?region=mars`)).toMatchObject({ body: [] });
    const page = { name: 'Status', slug: `regions-${database.name}`, monitorIds: [id] };
    expect(await daemon.request('POST', '/api/status-pages', page)).toMatchObject({ status: 201 });
    const { body: shown } = await daemon.request('GET', `/status/regions-${database.name}`, undefined, {
      apiKey: null,
    });
    expect(String(shown)).toMatch(/Last 24 h on average:[^]*asia 5 ms[^]*eu 12 ms/);
    const { body: listed } = await daemon.request('GET', '/api/monitors');
    expect(JSON.stringify(listed)).not.toContain('regionResults');
    // A client may send back the monitor exactly as the API returned it, including `regionResults`.
    expect(await daemon.request('PATCH', `/api/monitors/${id}`, await read(id))).toMatchObject({ status: 200 });
  });

  test('`nextCheckAt` of a monitor that only a probe checks is never in the past', async () => {
    const probe = await join('alone');
    const { id, monitor } = await create(['alone'], { interval: 20 });
    const nextIn = async () => {
      const { nextCheckAt } = (await read(id)) as { nextCheckAt: string | null };
      return nextCheckAt === null ? null : Date.parse(nextCheckAt) - Date.now();
    };
    expect(await nextIn()).toBeGreaterThan(-1000);
    expect((await probe.send([{ monitor }])).body).toMatchObject({ ignored: 0 });
    const next = await nextIn();
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(20_000);
    await daemon.store.db
      .updateTable('schedule')
      .set({ next_at: Date.now() - 3_600_000 })
      .where('monitor', '=', monitor)
      .execute();
    const later = await nextIn();
    if (later !== null) expect(later).toBeGreaterThan(0);
  });

  test("an alert names the regions that failed and passed, and a webhook's JSON has the same keys as for one region", async () => {
    const bodies: Record<string, unknown>[] = [];
    const texts: string[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.url === '/hook') bodies.push(JSON.parse(body) as Record<string, unknown>);
        else texts.push(body);
        response.end('ok');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const channels = [
        { type: 'webhook', name: 'hook', config: { url: `${site}/hook` } },
        { type: 'ntfy', name: 'ntfy', config: { topic: 'alerts', serverUrl: site } },
      ];
      const channelIds: string[] = [];
      for (const channel of channels)
        channelIds.push(
          ((await daemon.request('POST', '/api/notification-channels', channel)).body as { id: string }).id,
        );
      const regions = ['one', 'two', 'three'];
      const probes = [];
      for (const region of regions) probes.push(await join(region));
      const { id, monitor } = await create(regions);
      const rule = { name: 'r', trigger: 'monitor_down', monitorIds: [id], channelIds };
      const made = await daemon.request('POST', '/api/alert-rules', rule);
      expect(JSON.stringify(made.body)).toContain('rul_');
      const [one, two, three] = probes;
      await one!.send([{ monitor, verdict: 'down' }]);
      await three!.send([{ monitor }]);
      await two!.send([{ monitor, verdict: 'down' }]);
      await vi.waitFor(() => expect([bodies.length, texts.length]).toEqual([1, 1]), 10_000);
      expect(texts[0]).toContain('Failed in one and two. Passed in three.');
      expect(bodies[0]).toEqual({
        event: 'monitor_down',
        monitor: { id, name: 'm', url: 'h:1' },
        timestamp: expect.any(String) as string,
        details: { statusCode: 0, responseTime: 5, region: 'two' },
      });
      await two!.send([{ monitor }]);
      await vi.waitFor(() => expect([bodies.length, texts.length]).toEqual([2, 2]), 10_000);
      expect(texts[1]).toContain('Failed in one. Passed in three and two.');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
