import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../core/uptime.ts';
import { maxResults } from '../probe-protocol.ts';
import { databases } from '../testing/databases.ts';
import { createFakeProbe } from '../testing/fake-probe.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

const minuteMs = 60_000;

describe.each(databases)('the results of a probe on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const { join, create, makeOld } = probesOf(() => daemon);
  const statusOf = async (id: string) =>
    ((await daemon.request('GET', `/api/monitors/${id}`)).body as { status: string }).status;

  test('results are stored even if the clock of the server was ahead when the probe joined', async () => {
    const probe = await join('ahead');
    const { monitor } = await create({ regions: ['ahead'] });
    await probe.sync();
    const later = Date.now() + 3_600_000;
    await daemon.store.db
      .updateTable('probe')
      .set({ first_seen_at: later, applied_at: later })
      .where('name', '=', probe.name)
      .execute();
    expect(await probe.send([{ monitor }])).toMatchObject({ status: 200, body: { applied: 1, ignored: 0 } });
  });

  test("results change the monitor's status, and repeated results change nothing", async () => {
    const probe = await join('results');
    const { id, monitor } = await create({ regions: ['results'] });
    await probe.sync();
    expect(await statusOf(id)).toBe('pending');
    const sent = await probe.send([{ seq: 5, monitor, verdict: 'down' }]);
    expect(sent.body).toEqual({ protocol: 2, applied: 5, ignored: 0 });
    expect(await statusOf(id)).toBe('down');
    expect(
      (
        await probe.send([
          { seq: 5, monitor },
          { seq: 4, monitor },
        ])
      ).body,
    ).toMatchObject({ applied: 5 });
    expect(await statusOf(id)).toBe('down');
    await probe.send([{ seq: 6, monitor }]);
    expect(await statusOf(id)).toBe('up');
    const { body: results } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(results).toHaveLength(2);
    expect((await probe.sync()).body.applied).toBe(6);
  });

  test('the server accepts a batch of the maximum size with every field that a result can have', async () => {
    const probe = await join('full');
    const { id, monitor } = await create({ regions: ['full'], interval: 1 });
    await probe.sync();
    await makeOld(probe, monitor);
    const error = { code: 'tls_expired', message: 'x'.repeat(300) } as const;
    const names = { issuer: 'i', subject: 's', fingerprint: 'f' };
    const certificate = { validFrom: 0, validTo: 1, ...names, error };
    const timings = { dns: 1, connect: 1, tls: 1, firstByte: null, download: null };
    const now = Date.now();
    const results = Array.from({ length: maxResults }, (_, at) => ({
      monitor,
      at: now - (maxResults - at) * 1000,
      intervalMs: 1000,
      verdict: 'down' as const,
      thinned: { since: now - maxResults * 1000, longestGapMs: 1000 },
      error,
      timings,
      certificate,
    }));
    expect(await probe.send(results)).toMatchObject({ status: 200, body: { ignored: 0 } });
    const { body } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(body).toHaveLength(maxResults);
  });

  test('late results enter the history at the times of their checks, and change neither status nor alerts', async () => {
    const probe = await join('late');
    const { id, monitor } = await create({ regions: ['late'], interval: 20 });
    await probe.sync();
    await makeOld(probe, monitor);
    const now = Date.now();
    // The target went down and up again while the probe was cut off from the server. The first result is older than
    // three intervals.
    await probe.send([
      { monitor, at: now - 70_000, verdict: 'down' },
      { monitor, at: now - 40_000, verdict: 'down' },
      { monitor, at: now - 20_000, verdict: 'up' },
    ]);
    expect(await statusOf(id)).toBe('up');
    const { body } = await daemon.request('GET', `/api/monitors/${id}/events`);
    expect(body).toMatchObject([{ to: 'up' }]);
    const past = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(past.body).toMatchObject([
      { timestamp: new Date(now - 70_000).toISOString(), status: 'down', region: 'late' },
      { timestamp: new Date(now - 40_000).toISOString(), status: 'down' },
      { timestamp: new Date(now - 20_000).toISOString(), status: 'up' },
    ]);
    const { outages } = await daemon.store.db
      .selectFrom('outage')
      .select(({ fn }) => fn.countAll<number>().as('outages'))
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    expect(outages).toBe(0);
  });

  test('results from before an edit of the target are ignored, and the server tells the probe how many', async () => {
    const probe = await join('edited');
    const { id, monitor } = await create({ regions: ['edited'] });
    await probe.sync();
    expect((await probe.send([{ monitor }])).body).toMatchObject({ ignored: 0 });
    await daemon.request('PATCH', `/api/monitors/${id}`, { host: 'edited' });
    expect((await probe.send([{ monitor, verdict: 'down' }])).body).toMatchObject({ applied: 2, ignored: 1 });
    expect(await statusOf(id)).toBe('up');
    const { generation } = (await probe.sync()).body.assignments[0]!;
    expect((await probe.send([{ monitor, generation }])).body).toMatchObject({ applied: 3, ignored: 0 });
  });

  test.each([
    ['the interval', { interval: 30 }],
    ['the regions', { regions: ['before', 'after'] }],
  ])('results from before an edit of %s enter the history, and change neither status nor alerts', async (_, edit) => {
    const probe = await join('before');
    const { id, monitor } = await create({ regions: ['before'], interval: 60 });
    await probe.sync();
    await makeOld(probe, monitor);
    const now = Date.now();
    const watched = { since: now - 9000, watched_since: now - 9000, rolled_up_until: now - 9000 };
    await daemon.store.db.updateTable('monitor_state').set(watched).where('monitor', '=', monitor).execute();
    await probe.send([{ monitor, at: now - 5000 }]);
    await daemon.request('PATCH', `/api/monitors/${id}`, edit);
    const late = await probe.send([
      { monitor, at: now - 2000, verdict: 'down' },
      { monitor, at: now - 1000, verdict: 'down' },
    ]);
    expect(late.body).toMatchObject({ ignored: 0 });
    expect(await statusOf(id)).toBe('up');
    const { body } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(body).toMatchObject([{ status: 'up' }, { status: 'down' }, { status: 'down' }]);
    const { down_ms: downMs } = await daemon.store.db
      .selectFrom('observed_day')
      .select(({ fn }) => fn.sum<number>('down_ms').as('down_ms'))
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    // The monitor was down from the first failed check to the second one.
    expect(downMs).toBe(1000);
  });

  test.each([
    ['the interval of each result', { intervalMs: hourMs }, hourMs],
    ['the present interval, if an older probe sends none', {}, 3 * minuteMs],
  ])('the uptime from results before an edit of the interval is computed with %s', async (_, sentWith, expectedMs) => {
    const probe = await join('hourly');
    const { id, monitor } = await create({ regions: ['hourly'], interval: 3600 });
    await probe.sync();
    await makeOld(probe, monitor);
    const now = Date.now();
    const begunAt = now - 3 * hourMs;
    const watched = { since: begunAt, watched_since: begunAt, rolled_up_until: begunAt };
    await daemon.store.db.updateTable('monitor_state').set(watched).where('monitor', '=', monitor).execute();
    await probe.send([{ monitor, at: now - 2 * hourMs, ...sentWith }]);
    await daemon.request('PATCH', `/api/monitors/${id}`, { interval: 60 });
    const late = [now - hourMs, now].map((at) => ({ monitor, at, verdict: 'down' as const, ...sentWith }));
    expect((await probe.send(late)).body).toMatchObject({ ignored: 0 });
    expect(await statusOf(id)).toBe('up');
    const { down_ms: downMs } = await daemon.store.db
      .selectFrom('observed_day')
      .select(({ fn }) => fn.sum<number>('down_ms').as('down_ms'))
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    expect(downMs).toBe(expectedMs);
  });

  test('a result from before an edit does not decide whether a result from after the edit may change the status', async () => {
    const probe = await join('straggler');
    const { id, monitor } = await create({ regions: ['straggler'], interval: 60 });
    await probe.sync();
    await daemon.request('PATCH', `/api/monitors/${id}`, { interval: 30 });
    const { generation } = (await probe.sync()).body.assignments[0]!;
    const sent = [
      { monitor, generation },
      { monitor, verdict: 'down' as const },
    ];
    expect((await probe.send(sent)).body).toMatchObject({ ignored: 0 });
    expect(await statusOf(id)).toBe('up');
  });

  test.each([
    ['results that it claims to have deleted', { thinned: { since: 0, longestGapMs: 0 } }],
    ['a long interval of a result from before an edit', { intervalMs: 24 * hourMs }],
  ])('a probe cannot report about the time before its first call by %s', async (_, claim) => {
    const owner = await join('owned');
    const { id, monitor } = await create({ regions: ['owned'], interval: 1 });
    await owner.sync();
    const now = Date.now();
    const observed = { since: now - 90_000, watched_since: now - 90_000, rolled_up_until: now };
    const unobserved = JSON.stringify([{ from: now - 60_000, until: now }]);
    await daemon.store.db
      .updateTable('monitor_state')
      .set({ ...observed, unobserved })
      .where('monitor', '=', monitor)
      .execute();
    await daemon.store.db
      .updateTable('probe')
      .set({ first_seen_at: now - 80_000 })
      .where('name', '=', owner.name)
      .execute();
    await owner.send([{ monitor, at: now - 70_000 }]);
    const thief = createFakeProbe(daemon, owner.token);
    await thief.sync();
    if ('intervalMs' in claim) await daemon.request('PATCH', `/api/monitors/${id}`, { interval: 2 });
    expect((await thief.send([{ monitor, ...claim }])).body).toMatchObject({ ignored: 0 });
    const row = daemon.store.db.selectFrom('monitor_state').select('unobserved').where('monitor', '=', monitor);
    const [left] = JSON.parse((await row.executeTakeFirstOrThrow()).unobserved) as { from: number; until: number }[];
    expect(left!.from).toBe(now - 60_000);
    expect(left!.until).toBeGreaterThanOrEqual(now);
  });

  test('late results of passed checks are stored without timings if the timings are past their retention', async () => {
    const probe = await join('untimed');
    const { id, monitor } = await create({ regions: ['untimed'] });
    await probe.sync();
    await makeOld(probe, monitor);
    const [now, dayMs] = [Date.now(), 24 * hourMs];
    const timings = { dns: 1, connect: 2, tls: null, firstByte: null, download: null };
    await probe.send([
      { monitor, at: now - 3 * dayMs, timings },
      { monitor, at: now - 3 * dayMs + minuteMs, timings, verdict: 'down' },
      { monitor, at: now - dayMs - minuteMs, timings },
      { monitor, at: now - dayMs + minuteMs, timings },
    ]);
    const { body } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(body).toMatchObject([null, timings, null, timings].map((kept) => ({ timings: kept })));
  });

  test('results from before the creation of a monitor are ignored, because after a restore a new monitor may get the number of another one', async () => {
    const probe = await join('restored');
    const { id, monitor } = await create({ regions: ['restored'] });
    await probe.sync();
    await makeOld(probe, monitor);
    const now = Date.now();
    const createdAt = (at: number) =>
      daemon.store.db.updateTable('monitor').set({ created_at: at }).where('seq', '=', monitor).execute();
    await createdAt(now - 20_000);
    const results = [now - 3_600_000, now - 26_000, now - 24_000].map((at) => ({ monitor, at }));
    expect((await probe.send(results)).body).toMatchObject({ applied: 3, ignored: 2 });
    const past = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(past.body).toMatchObject([{ timestamp: new Date(now - 24_000).toISOString() }]);
    // The monitor was created while the clock of the server was an hour ahead.
    await createdAt(now + 3_600_000);
    expect((await probe.send([{ monitor, at: now - 10_000 }])).body).toMatchObject({ applied: 4, ignored: 0 });
  });

  test('results from before a pause are ignored after the resume', async () => {
    const probe = await join('resumed');
    const { id, monitor } = await create({ regions: ['resumed'] });
    await probe.sync();
    for (const paused of [true, false]) await daemon.request('PATCH', `/api/monitors/${id}`, { paused });
    expect((await probe.send([{ monitor, at: Date.now() - 1000 }])).body).toMatchObject({ ignored: 1 });
  });
});
