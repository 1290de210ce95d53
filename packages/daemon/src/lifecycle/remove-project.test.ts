import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startRetention } from '../engine/retention.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { databases } from '../testing/databases.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestAlert } from '../testing/outbox.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

/** The tables that are empty after all projects are removed. */
const emptied: readonly (keyof Tables)[] = [
  'monitor',
  'monitor_state',
  'schedule',
  'channel',
  'rule',
  'rule_monitor',
  'rule_channel',
  'alert',
  'delivery',
  'incident',
  'incident_update',
  'incident_monitor',
  'status_page',
  'status_page_monitor',
  'project_key',
];
const monitorCount = 25;

describe.each(databases)('the removal of a project on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const count = async (table: keyof Tables, db: Pick<Store['db'], 'selectFrom'> = daemon.store.db) => {
    const rows = await db
      .selectFrom(table)
      .select((of) => of.lit(1).as('one'))
      .execute();
    return rows.length;
  };

  /** Creates a user with a project that has some objects of every kind. */
  async function owner(name: string): Promise<TestUser & { machineKey: string; pingPath: string }> {
    const someone = await daemon.another(`${name}-${database.name}`);
    const make = async (path: string, body: object) => {
      const answer = await daemon.request('POST', `/api${path}`, body, { apiKey: someone.apiKey });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body as { id: string; pingUrl: string; key: string };
    };
    const monitors = [];
    for (let n = 0; n < monitorCount; n++) monitors.push(await make('/monitors', { type: 'heartbeat', name: `m${n}` }));
    const monitorIds = monitors.map(({ id }) => id);
    const config = { url: 'http://127.0.0.1:1/' };
    const channel = await make('/notification-channels', { type: 'webhook', name: 'c', config });
    await make('/alert-rules', { name: 'r', monitorIds, channelIds: [channel.id] });
    for (let n = 0; n < 12; n++) await make('/incidents', { title: 't', message: 'm', monitorIds });
    await make('/status-pages', { name: 'p', slug: `${name}-${database.name}`, monitorIds });
    const { key: machineKey } = await make(`/projects/${someone.project.id}/keys`, { name: 'ci', scope: 'full' });
    const row = await daemon.store.db
      .selectFrom('channel')
      .select('seq')
      .where('id', '=', channel.id)
      .executeTakeFirst();
    const about = { project_id: someone.project.id, resolved_at: 1 };
    await openTestAlert(daemon.store, `alr_${name}`, { channel: row!.seq, at: 1, ...about });
    return { ...someone, machineKey, pingPath: new URL(monitors[0]!.pingUrl).pathname };
  }

  test('DELETE removes a project and all its objects in many short transactions', async () => {
    const { project, apiKey } = await owner('whole');
    const write = daemon.store.write.bind(daemon.store);
    const steps: number[] = [];
    daemon.store.write = (work, options) =>
      write(async (trx) => {
        const before = await count('monitor', trx);
        const result = await work(trx);
        steps.push(before - (await count('monitor', trx)));
        return result;
      }, options);
    const answer = await daemon.request('DELETE', `/api/projects/${project.id}`, undefined, { apiKey });
    daemon.store.write = write;
    expect(answer.status).toBe(204);
    expect(Math.max(...steps)).toBe(10);
    const rows = await Promise.all(emptied.map(async (table) => [table, await count(table)]));
    expect(rows.filter(([, left]) => left !== 0)).toEqual([]);
    expect(await daemon.store.db.selectFrom('project').select('id').where('id', '=', project.id).execute()).toEqual([]);
  });

  test('if the removal of a project is interrupted, retention completes it, and until then no request finds the project', async () => {
    const { project, apiKey, cookie, machineKey } = await owner('half');
    const write = daemon.store.write.bind(daemon.store);
    daemon.store.write = async (...given) => {
      if ((await count('monitor')) < monitorCount) throw new Error('killed');
      return write(...given);
    };
    const path = `/api/projects/${project.id}`;
    const answer = await daemon.request('DELETE', path, undefined, { apiKey });
    daemon.store.write = write;
    expect(answer.status).toBe(500);
    expect(await count('monitor')).toBe(monitorCount - 10);

    const statusBy = async (options: object) => (await daemon.request('GET', path, undefined, options)).status;
    expect(await statusBy({ apiKey })).toBe(401);
    expect(await statusBy({ apiKey: machineKey })).toBe(401);
    expect(await statusBy({ apiKey: null, cookie })).toBe(404);
    const { body } = await daemon.request('GET', '/api/projects', undefined, { apiKey: null, cookie });
    expect(body).toEqual([]);

    const clock = createFakeClock();
    const log = { debug() {}, info() {}, warn() {}, error: (_: object, text: string) => expect.fail(text) };
    const retention = startRetention({ clock, log }, daemon.store, { rawRetentionDays: 30 });
    await vi.waitFor(
      async () => {
        await clock.advance(60_000);
        expect(await count('monitor')).toBe(0);
        const projects = daemon.store.db.selectFrom('project').select('id').where('id', '=', project.id);
        expect(await projects.execute()).toEqual([]);
      },
      { timeout: 30_000, interval: 10 },
    );
    await retention.stop();
    const rows = await Promise.all(emptied.map(async (table) => [table, await count(table)]));
    expect(rows.filter(([, number]) => number !== 0)).toEqual([]);
  });
});
