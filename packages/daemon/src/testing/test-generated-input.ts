import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arbitraryFor, bodySchemas, jsonSchema } from './body-schema.ts';
import { alertRulePatch, channelPatch, isPassive, monitorPatch } from '@uptime/sdk/contract';
import { passingCheck } from './passing-check.ts';
import { createTestDaemon, type TestDaemon } from './test-daemon.ts';

/** The number of bodies for each kind of request if `share` is 1: more than 10,000 in total. */
const allRuns = {
  createMonitor: 5000,
  updateMonitor: 3500,
  createChannel: 1000,
  updateChannel: 700,
  rule: 500,
  createProject: 500,
  updateProject: 500,
  ping: 400,
  auth: 100,
};

/** Defines the tests of generated bodies. They send the numbers of bodies in `allRuns`, multiplied by `share`. */
export function testGeneratedInput(share: number): void {
  const runs = Object.fromEntries(
    Object.entries(allRuns).map(([name, count]) => [name, Math.ceil(count * share)]),
  ) as typeof allRuns;
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const send = async (method: 'POST' | 'PATCH', url: string, body: unknown, credential: Record<string, string>) => {
    const headers = { ...credential, 'content-type': 'application/json' };
    const answer = await daemon.inject({ method, url, headers, payload: JSON.stringify(body) });
    // Here every status below 500 is right. Other tests expect an exact status.
    expect(answer.statusCode).toBeLessThan(500);
    return answer;
  };
  const key = () => ({ 'x-api-key': daemon.apiKey });
  const cookie = () => ({ cookie: daemon.cookie });
  const each = (numRuns: number, arbitrary: fc.Arbitrary<unknown>, run: (body: unknown) => Promise<void>) =>
    fc.assert(fc.asyncProperty(arbitrary, run), { numRuns });

  const monitorBodies = fc.oneof(...bodySchemas('createMonitor').map(arbitraryFor));

  /** Expects that each monitor has a state, and a schedule if it is checked, so that half-written data is found. */
  async function expectWhole(created: number) {
    const { db } = daemon.store;
    const rows = await db
      .selectFrom('monitor')
      .leftJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
      .select(['monitor.seq', 'monitor.type', 'monitor_state.status'])
      .execute();
    expect(rows).toHaveLength(created);
    expect(rows.filter((row) => row.status === null)).toEqual([]);
    const scheduled = await db.selectFrom('schedule').select('monitor').distinct().execute();
    const due = rows.filter((row) => !isPassive(row) && row.status !== 'paused').map((row) => row.seq);
    expect(new Set(scheduled.map((row) => row.monitor))).toEqual(new Set(due));
    // `request` also checks the answer against the OpenAPI document.
    const { body } = await daemon.request('GET', '/api/monitors');
    expect(body).toHaveLength(created);
  }

  test('the server stores every body for a monitor entirely or refuses it', { timeout: 240_000 }, async () => {
    const created: string[] = [];
    await each(runs.createMonitor, monitorBodies, async (body) => {
      const answer = await send('POST', '/api/monitors', body, key());
      if (answer.statusCode === 201) created.push(answer.json<{ id: string }>().id);
    });
    expect(created.length).toBeGreaterThan(runs.createMonitor / 50);
    await expectWhole(created.length);

    let changed = 0;
    const patch = fc.tuple(fc.nat(), fc.oneof(monitorBodies, arbitraryFor(jsonSchema(monitorPatch))));
    await each(runs.updateMonitor, patch, async (pair) => {
      const [which, body] = pair as [number, unknown];
      const url = `/api/monitors/${created[which % created.length]}`;
      const before = await daemon.inject({ url, headers: key() });
      const answer = await send('PATCH', url, body, key());
      if (answer.statusCode === 200) {
        changed++;
        return;
      }
      const after = await daemon.inject({ url, headers: key() });
      const own = ({ updatedAt, name, interval }: Record<string, unknown>) => ({ updatedAt, name, interval });
      expect(own(after.json())).toEqual(own(before.json()));
    });
    expect(changed).toBeGreaterThan(0);
    await expectWhole(created.length);
  });

  test('the server stores every body for a channel entirely or refuses it', { timeout: 120_000 }, async () => {
    const valid = { type: 'webhook', name: 'x', config: { url: 'http://localhost/' } };
    // Few generated addresses are valid, so one body in five is `valid`.
    const bodies = fc.oneof(
      { weight: 4, arbitrary: fc.oneof(...bodySchemas('createChannel').map(arbitraryFor)) },
      { weight: 1, arbitrary: fc.constant(valid) },
    );
    const created: string[] = [];
    await each(runs.createChannel, bodies, async (body) => {
      const answer = await send('POST', '/api/notification-channels', body, key());
      if (answer.statusCode === 201) created.push(answer.json<{ id: string }>().id);
    });
    expect(created.length).toBeGreaterThan(runs.createChannel / 50);

    const all = async () => (await daemon.request('GET', '/api/notification-channels')).body as { id: string }[];
    expect((await all()).map(({ id }) => id).toSorted()).toEqual(created.toSorted());
    let changed = 0;
    const patch = fc.tuple(fc.nat(), fc.oneof(bodies, arbitraryFor(jsonSchema(channelPatch))));
    await each(runs.updateChannel, patch, async (pair) => {
      const [which, body] = pair as [number, unknown];
      const url = `/api/notification-channels/${created[which % created.length]}`;
      if ((await send('PATCH', url, body, key())).statusCode === 200) changed++;
    });
    expect(changed).toBeGreaterThan(0);
    // Every stored config can be read, and no refused body was stored.
    expect(await all()).toHaveLength(created.length);
    expect((await all()).filter((channel) => (channel as { lastError?: unknown }).lastError !== null)).toEqual([]);
  });

  test('the server stores every body for an alert rule entirely or refuses it', { timeout: 60_000 }, async () => {
    const [input] = bodySchemas('createAlertRule');
    const created: string[] = [];
    await each(runs.rule, arbitraryFor(input!), async (body) => {
      // The generated ids do not exist, so each body is also sent with empty lists of ids.
      for (const one of [body, { ...(body as object), monitorIds: [], channelIds: [] }]) {
        const answer = await send('POST', '/api/alert-rules', one, key());
        if (answer.statusCode === 201) created.push(answer.json<{ id: string }>().id);
      }
    });
    expect(created.length).toBeGreaterThan(runs.rule / 50);
    await each(runs.rule, arbitraryFor(jsonSchema(alertRulePatch)), async (body) => {
      await send('PATCH', `/api/alert-rules/${created[0]}`, body, key());
    });
    expect((await daemon.request('GET', '/api/alert-rules')).body).toHaveLength(created.length);
  });

  test('the server stores every body for a project entirely or refuses it', { timeout: 60_000 }, async () => {
    const [input] = bodySchemas('createProject');
    let made = 1;
    await each(runs.createProject, arbitraryFor(input!), async (body) => {
      if ((await send('POST', '/api/projects', body, cookie())).statusCode === 201) made++;
    });
    const { body } = await daemon.request('GET', '/api/projects', undefined, { cookie: daemon.cookie });
    expect(body).toHaveLength(made);
    const [patch] = bodySchemas('updateProject');
    await each(runs.updateProject, arbitraryFor(patch!), async (change) => {
      await send('PATCH', `/api/projects/${daemon.project.id}`, change, key());
    });
  });

  test('the server records every body of metrics entirely or refuses it', { timeout: 60_000 }, async () => {
    const made = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
    const { pathname } = new URL((made.body as { pingUrl: string }).pingUrl);
    let recorded = 0;
    const metrics = fc.oneof(fc.dictionary(fc.string(), fc.oneof(fc.double(), fc.string())), fc.jsonValue());
    await each(runs.ping, metrics, async (body) => {
      if ((await send('POST', pathname, body, {})).statusCode === 200) recorded++;
    });
    expect(await daemon.store.db.selectFrom('ping').select('id').execute()).toHaveLength(recorded);
  });

  test('no body for sign-up or sign-in causes a server error', { timeout: 60_000 }, async () => {
    for (const [operation, path] of [
      ['signUp', 'sign-up'],
      ['signIn', 'sign-in'],
    ] as const) {
      const [schema] = bodySchemas(operation);
      await each(runs.auth / 2, arbitraryFor(schema!), async (body) => {
        await send('POST', `/api/auth/${path}/email`, body, {});
      });
    }
  });
}
