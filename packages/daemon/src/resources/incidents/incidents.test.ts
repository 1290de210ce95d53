import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { databases } from '../../testing/databases.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../testing/test-daemon.ts';

interface Shown {
  id: string;
  status: string;
  resolvedAt: string | null;
  updates: { status: string; message: string; createdAt: string }[];
  [field: string]: unknown;
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe.each(databases)('incidents on $name', (database) => {
  let daemon: TestDaemon;
  const monitors: string[] = [];
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
    for (const name of ['a', 'b']) {
      const { body } = await daemon.request('POST', '/api/monitors', { type: 'ping', name, host: 'localhost' });
      monitors.push((body as Shown).id);
    }
  });
  afterAll(() => daemon.close());

  const create = async (fields: object): Promise<Shown> => {
    const answer = await daemon.request('POST', '/api/incidents', { title: 'Slow', ...fields });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as Shown;
  };
  const patch = async (id: string, fields: object): Promise<Shown> => {
    const answer = await daemon.request('PATCH', `/api/incidents/${id}`, fields);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as Shown;
  };
  const get = async (id: string) => (await daemon.request('GET', `/api/incidents/${id}`)).body as Shown;

  test('a patch that changes nothing does not change `updatedAt` or the timeline', async () => {
    const made = await create({ message: 'Looking.', monitorIds: [monitors[1], monitors[0]] });
    for (const same of [{}, { title: 'Slow' }, { status: made.status }, { monitorIds: made['monitorIds'] }, made])
      expect(await patch(made.id, same)).toEqual(made);
    expect(await get(made.id)).toEqual(made);
    const reordered = await patch(made.id, { monitorIds: monitors });
    expect(reordered['monitorIds']).toEqual(monitors);
    expect(reordered['updatedAt']).not.toBe(made['updatedAt']);
  });

  test('a new incident may have any status, and its message becomes the first entry of its timeline', async () => {
    const made = await create({
      status: 'monitoring',
      message: 'A fix is out.',
      monitorIds: [monitors[1], monitors[0]],
    });
    expect(made).toMatchObject({
      title: 'Slow',
      status: 'monitoring',
      monitorIds: [monitors[1], monitors[0]],
      maintenance: false,
      scheduledStart: null,
      scheduledEnd: null,
      resolvedAt: null,
      updates: [{ status: 'monitoring', message: 'A fix is out.' }],
    });
    expect(await get(made.id)).toEqual(made);
    const { body } = await daemon.request('GET', '/api/incidents');
    expect(body).toContainEqual(made);
  });

  test('a create without a status makes an incident with the status investigating and an empty timeline', async () => {
    expect(await create({})).toMatchObject({ status: 'investigating', updates: [], monitorIds: [] });
  });

  test('only an update with a new status or a message adds an entry to the timeline', async () => {
    const { id } = await create({ message: 'Looking.' });
    await patch(id, { status: 'identified' });
    await patch(id, { message: 'Still at it.' });
    await patch(id, { status: 'identified' });
    await patch(id, { title: 'Very slow' });
    const shown = await get(id);
    expect(shown).toMatchObject({ title: 'Very slow', status: 'identified' });
    expect(shown.updates.map(({ status, message }) => [status, message])).toEqual([
      ['investigating', 'Looking.'],
      ['identified', ''],
      ['identified', 'Still at it.'],
    ]);
  });

  test('a read returns the whole timeline and a patch only its latest entries, and the number of entries is limited', async () => {
    const { id } = await create({ message: '0' });
    for (let entry = 1; entry < 30; entry++) await patch(id, { message: String(entry) });
    const messagesOf = (shown: Shown) => shown.updates.map(({ message }) => message);
    expect(messagesOf(await patch(id, { message: '30' }))).toEqual(
      Array.from({ length: 25 }, (_, at) => String(at + 6)),
    );
    const all = Array.from({ length: 31 }, (_, at) => String(at));
    expect(messagesOf(await get(id))).toEqual(all);
    const listed = (await daemon.request('GET', '/api/incidents')).body as Shown[];
    expect(messagesOf(listed.find((one) => one.id === id)!)).toEqual(all);

    const { seq } = await daemon.store.db
      .selectFrom('incident')
      .select('seq')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 469 }, (_, at) => ({
      id: `upd_${database.name}_${at}`,
      incident: seq,
      status: 'investigating' as const,
      message: 'x',
      created_at: 0,
    }));
    await daemon.store.write((trx) => trx.insertInto('incident_update').values(more).execute());
    const refused = await daemon.request('PATCH', `/api/incidents/${id}`, { message: 'one more' });
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('at most 500 updates') } });
    expect(await patch(id, { title: 'Renamed' })).toMatchObject({ title: 'Renamed' });
    expect(await patch(id, { status: 'resolved', message: 'Over.' })).toMatchObject({ status: 'resolved' });
    expect((await daemon.request('PATCH', `/api/incidents/${id}`, { status: 'identified' })).status).toBe(409);
  });

  test('the status resolved sets resolvedAt, and any other status clears it', async () => {
    const { id } = await create({});
    const resolved = await patch(id, { status: 'resolved' });
    expect(Date.parse(resolved.resolvedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect((await patch(id, { message: 'Thanks.' })).resolvedAt).toBe(resolved.resolvedAt);
    expect((await patch(id, { status: 'investigating' })).resolvedAt).toBeNull();
  });

  test('a new maintenance window is scheduled with the status identified, and must end after its start', async () => {
    const [scheduledStart, scheduledEnd] = [inSeconds(3600), inSeconds(7200)];
    const made = await create({ maintenance: true, scheduledStart, scheduledEnd });
    expect(made).toMatchObject({ status: 'identified', maintenance: true, startedAt: scheduledStart, updates: [] });
    const refused = async (fields: object) => {
      const { status, body } = await daemon.request('POST', '/api/incidents', { title: 'x', ...fields });
      expect(status).toBe(400);
      return (body as { errors: { path: string }[] }).errors.map(({ path }) => path);
    };
    expect(await refused({ maintenance: true })).toEqual(['scheduledStart', 'scheduledEnd']);
    expect(await refused({ maintenance: true, scheduledStart: scheduledEnd, scheduledEnd: scheduledStart })).toEqual([
      'scheduledEnd',
    ]);
    expect(await refused({ maintenance: true, scheduledStart, scheduledEnd: scheduledStart })).toEqual([
      'scheduledEnd',
    ]);
    expect(await refused({ scheduledStart })).toEqual(['scheduledStart']);
    expect((await daemon.request('PATCH', `/api/incidents/${made.id}`, { scheduledEnd: inSeconds(60) })).status).toBe(
      400,
    );
    const later = inSeconds(9000);
    expect(await patch(made.id, { scheduledEnd: later })).toMatchObject({ scheduledEnd: later });
  });

  test('a maintenance window is resolved when it ends, and gets an entry in its timeline', async () => {
    const scheduledEnd = inSeconds(0.3);
    const { id } = await create({
      maintenance: true,
      scheduledStart: inSeconds(-60),
      scheduledEnd,
      monitorIds: monitors,
    });
    await vi.waitFor(async () => expect(await get(id)).toMatchObject({ status: 'resolved' }), { timeout: 20_000 });
    expect(await get(id)).toMatchObject({
      resolvedAt: scheduledEnd,
      updates: [{ status: 'resolved', message: 'The maintenance window has ended.', createdAt: scheduledEnd }],
    });
  });

  test('the error names every id that is not a monitor of the project, including ids of other projects', async () => {
    const other = await daemon.another('bea');
    const theirs = await daemon.request(
      'POST',
      '/api/monitors',
      { type: 'ping', name: 'theirs', host: 'localhost' },
      { apiKey: other.apiKey },
    );
    const ids = [monitors[0], 'mon_none', (theirs.body as Shown).id, 'a\u0000b'];
    const answer = await daemon.request('POST', '/api/incidents', { title: 'x', monitorIds: ids });
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      'monitorIds.1',
      'monitorIds.2',
      'monitorIds.3',
    ]);
  });

  test('one error names all faults of the times and of the monitors', async () => {
    const answer = await daemon.request('POST', '/api/incidents', {
      title: 'x',
      maintenance: true,
      scheduledStart: inSeconds(60),
      monitorIds: ['mon_none'],
    });
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      'scheduledEnd',
      'monitorIds.0',
    ]);
  });

  test('null in a patch restores the default of a field, but cannot remove the times of a maintenance window', async () => {
    const { id } = await create({ status: 'monitoring', monitorIds: monitors });
    expect(await patch(id, { status: null, message: null, monitorIds: null, scheduledStart: null })).toMatchObject({
      status: 'investigating',
      monitorIds: [],
      updates: [{ status: 'monitoring' }, { status: 'investigating', message: '' }],
    });
    const window = await create({ maintenance: true, scheduledStart: inSeconds(60), scheduledEnd: inSeconds(120) });
    const answer = await daemon.request('PATCH', `/api/incidents/${window.id}`, { scheduledEnd: null });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'scheduledEnd' }] } });
    expect((await daemon.request('PATCH', `/api/incidents/${id}`, { title: null })).status).toBe(400);
  });

  test('a deleted monitor is removed from its incidents, and a deleted incident no longer exists', async () => {
    const { body } = await daemon.request('POST', '/api/monitors', { type: 'ping', name: 'c', host: 'localhost' });
    const gone = (body as Shown).id;
    const { id } = await create({ monitorIds: [monitors[0], gone] });
    await daemon.request('DELETE', `/api/monitors/${gone}`);
    expect((await get(id))['monitorIds']).toEqual([monitors[0]]);
    expect((await daemon.request('DELETE', `/api/incidents/${id}`)).status).toBe(204);
    expect((await daemon.request('GET', `/api/incidents/${id}`)).status).toBe(404);
  });

  test('every page of the list shows incidents with their monitors and updates', async () => {
    const all = (await daemon.request('GET', '/api/incidents')).body as Shown[];
    const seen: Shown[] = [];
    for (let next: string | null = '/api/incidents?limit=2'; next;) {
      const page = await daemon.request('GET', next);
      seen.push(...(page.body as Shown[]));
      const link: string | undefined = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      next = link === undefined ? null : new URL(link).pathname + new URL(link).search;
    }
    expect(seen).toEqual(all);
  });

  test('the time of a maintenance window is recorded separately and does not lower uptime', async () => {
    const { body } = await daemon.request('POST', '/api/monitors', { type: 'heartbeat', name: 'job' });
    const { id, pingUrl } = body as { id: string; pingUrl: string };
    const day = async () => {
      const { body: days } = await daemon.request('GET', `/api/monitors/${id}/daily-uptime`);
      return (days as { uptime: number | null; maintenanceSeconds: number }[]).at(-1)!;
    };
    const window = await create({
      maintenance: true,
      scheduledStart: inSeconds(-3600),
      scheduledEnd: inSeconds(3600),
      monitorIds: [id],
    });
    await fetch(`${pingUrl}/fail`);
    await vi.waitFor(async () => expect((await day()).maintenanceSeconds).toBeGreaterThanOrEqual(1), {
      timeout: 20_000,
    });
    expect((await day()).uptime).toBeNull();
    await patch(window.id, { status: 'resolved' });
    await vi.waitFor(async () => expect((await day()).uptime).toBe(0), { timeout: 20_000 });
    const { body: stats } = await daemon.request('GET', `/api/monitors/${id}/stats`);
    expect(stats).toMatchObject({ status: 'down', uptime24h: 0 });
  });
});
