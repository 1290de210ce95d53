import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostResults } from '../probe-protocol.ts';
import { databases } from '../testing/databases.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

describe.each(databases)('the results of a probe on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const { join, create } = probesOf(() => daemon);
  const statusOf = async (id: string) =>
    ((await daemon.request('GET', `/api/monitors/${id}`)).body as { status: string }).status;

  test('results are stored even if an earlier clock of the server was ahead', async () => {
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
    await daemon.store.db.updateTable('probe').set({ first_seen_at: 0 }).where('name', '=', probe.name).execute();
    const error = { code: 'tls_expired', message: 'x'.repeat(300) } as const;
    const names = { issuer: 'i', subject: 's', fingerprint: 'f' };
    const certificate = { validFrom: 0, validTo: 1, ...names, error };
    const timings = { dns: 1, connect: 1, tls: 1, firstByte: null, download: null };
    const now = Date.now();
    const results = Array.from({ length: mostResults }, (_, at) => ({
      monitor,
      at: now - (mostResults - at) * 1000,
      verdict: 'down' as const,
      error,
      timings,
      certificate,
    }));
    expect(await probe.send(results)).toMatchObject({ status: 200, body: { ignored: 0 } });
    const { body } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(body).toHaveLength(mostResults);
  });

  test('late results enter the history at the times of their checks, and change neither status nor alerts', async () => {
    const probe = await join('late');
    const { id, monitor } = await create({ regions: ['late'], interval: 20 });
    await probe.sync();
    await daemon.store.db.updateTable('probe').set({ first_seen_at: 0 }).where('name', '=', probe.name).execute();
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
    const { episodes } = await daemon.store.db
      .selectFrom('episode')
      .select(({ fn }) => fn.countAll<number>().as('episodes'))
      .where('monitor', '=', monitor)
      .executeTakeFirstOrThrow();
    expect(episodes).toBe(0);
  });

  test('the server ignores results from before an edit of the interval, and tells the probe how many', async () => {
    const probe = await join('edited');
    const { id, monitor } = await create({ regions: ['edited'], interval: 60 });
    await probe.sync();
    expect((await probe.send([{ monitor }])).body).toMatchObject({ ignored: 0 });
    await daemon.request('PATCH', `/api/monitors/${id}`, { interval: 30 });
    expect((await probe.send([{ monitor, verdict: 'down' }])).body).toMatchObject({ applied: 2, ignored: 1 });
    expect(await statusOf(id)).toBe('up');
    const { generation } = (await probe.sync()).body.assignments[0]!;
    expect((await probe.send([{ monitor, generation }])).body).toMatchObject({ applied: 3, ignored: 0 });
  });
});
