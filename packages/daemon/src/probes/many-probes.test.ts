import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import { createFakeProbe, type FakeProbe } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { mostProbes } from './add-probe.ts';

const hourMs = 3_600_000;

describe.each(databases)('many probes of one token on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const newToken = async (region: string) => {
    const { body } = await daemon.request('POST', '/api/probes', { region }, { cookie: daemon.cookie });
    return (body as { token: string }).token;
  };
  /** Joins as many probes as a token may have. Each one then sends the sync call with these fields. */
  const fill = async (token: string, last: object): Promise<FakeProbe[]> => {
    const probes: FakeProbe[] = [];
    for (let n = 0; n < mostProbes; n++) {
      const probe = createFakeProbe(daemon, token);
      expect((await probe.sync()).status).toBe(200);
      expect((await probe.sync(last)).status).toBe(200);
      probes.push(probe);
    }
    return probes;
  };
  const isKnown = async ({ name }: FakeProbe) =>
    (await daemon.store.db.selectFrom('probe').select('name').where('name', '=', name).execute()).length > 0;
  /** Makes probes look as if they had been silent for this time. */
  const silence = (probes: readonly FakeProbe[], forMs: number) =>
    daemon.store.db
      .updateTable('probe')
      .set({ seen_at: Date.now() - forMs })
      .where(
        'name',
        'in',
        probes.map(({ name }) => name),
      )
      .execute();

  test('a probe without a persistent folder can be restarted any number of times', async () => {
    const token = await newToken('restarted');
    const probes = await fill(token, { leaving: true });
    for (let n = 0; n < 3; n++) {
      const next = createFakeProbe(daemon, token);
      expect((await next.sync()).status).toBe(200);
      expect(await isKnown(probes[n]!)).toBe(false);
    }
    expect(await isKnown(probes[3]!)).toBe(true);
  });

  test('a crashed probe makes room after an hour, if it had no backlog of results', async () => {
    const token = await newToken('crashed');
    const probes = await fill(token, { queued: 3, oldestAt: Date.now() });
    expect((await createFakeProbe(daemon, token).sync()).status).toBe(409);
    await silence(probes.slice(0, 1), 0.9 * hourMs);
    expect((await createFakeProbe(daemon, token).sync()).status).toBe(409);
    await silence(probes.slice(0, 1), 1.1 * hourMs);
    await daemon.store.db
      .updateTable('probe')
      .set({ oldest_at: Date.now() - 1.1 * hourMs })
      .where('name', '=', probes[0]!.name)
      .execute();
    expect((await createFakeProbe(daemon, token).sync()).status).toBe(200);
    expect(await isKnown(probes[0]!)).toBe(false);
  });

  test('a probe with a backlog stays known, so that its results are stored once', async () => {
    const token = await newToken('backlog');
    const probes = await fill(token, { queued: 3, oldestAt: Date.now() - hourMs });
    await silence(probes, 2 * hourMs);
    await daemon.store.db
      .updateTable('probe')
      .set({ oldest_at: Date.now() - 3 * hourMs })
      .where(
        'name',
        'in',
        probes.map(({ name }) => name),
      )
      .execute();
    expect((await createFakeProbe(daemon, token).sync()).status).toBe(409);
    const leaving = { leaving: true, queued: 3, oldestAt: Date.now() };
    expect((await probes[0]!.sync(leaving)).status).toBe(200);
    expect((await createFakeProbe(daemon, token).sync()).status).toBe(409);
    expect((await probes[0]!.sync({ leaving: true })).status).toBe(200);
    expect((await createFakeProbe(daemon, token).sync()).status).toBe(200);
  });
});
