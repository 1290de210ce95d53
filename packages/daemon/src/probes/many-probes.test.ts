import type { Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../core/uptime.ts';
import type { ProbeTable } from '../store/tables.ts';
import { databases } from '../testing/databases.ts';
import { createFakeProbe, type FakeProbe } from '../testing/fake-probe.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';
import { maxProbes } from './add-probe.ts';

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
  /** Makes as many probes join as a token may have. Each probe then sends a second call, with the fields of `last`. */
  const fill = async (token: string, last: object): Promise<FakeProbe[]> => {
    const probes: FakeProbe[] = [];
    for (let n = 0; n < maxProbes; n++) {
      const probe = createFakeProbe(daemon, token);
      expect((await probe.sync()).status).toBe(200);
      expect((await probe.sync(last)).status).toBe(200);
      probes.push(probe);
    }
    return probes;
  };
  const isKnown = async ({ name }: FakeProbe) =>
    (await daemon.store.db.selectFrom('probe').select('name').where('name', '=', name).execute()).length > 0;
  const change = (probes: readonly FakeProbe[], fields: Updateable<ProbeTable>) =>
    daemon.store.db
      .updateTable('probe')
      .set(fields)
      .where(
        'name',
        'in',
        probes.map(({ name }) => name),
      )
      .execute();
  /** Makes probes look as if they had been silent for this time. */
  const silence = (probes: readonly FakeProbe[], forMs: number) => change(probes, { seen_at: Date.now() - forMs });
  /** Makes probes look as if they had lived for a time, and then been silent for another time. */
  const live = (probes: readonly FakeProbe[], lifeMs: number, silentMs: number) => {
    const seenAt = Date.now() - silentMs;
    return change(probes, { first_seen_at: seenAt - lifeMs, seen_at: seenAt });
  };
  const join = async (token: string) => (await createFakeProbe(daemon, token).sync()).status;

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

  test('a crashed probe makes room for another probe after an hour, if it had no backlog of results', async () => {
    const token = await newToken('crashed');
    const probes = await fill(token, { queued: 3, oldestAt: Date.now() });
    expect(await join(token)).toBe(409);
    await silence(probes.slice(0, 1), 0.9 * hourMs);
    expect(await join(token)).toBe(409);
    await silence(probes.slice(0, 1), 1.1 * hourMs);
    await change(probes.slice(0, 1), { oldest_at: Date.now() - 1.1 * hourMs });
    expect(await join(token)).toBe(200);
    expect(await isKnown(probes[0]!)).toBe(false);
  });

  test('a probe with a backlog stays known, so that its results are stored only once', async () => {
    const token = await newToken('backlog');
    const probes = await fill(token, { queued: 3, oldestAt: Date.now() - hourMs });
    await silence(probes, 2 * hourMs);
    await change(probes, { oldest_at: Date.now() - 3 * hourMs });
    expect(await join(token)).toBe(409);
    const leaving = { leaving: true, queued: 3, oldestAt: Date.now() };
    expect((await probes[0]!.sync(leaving)).status).toBe(200);
    expect(await join(token)).toBe(409);
    expect((await probes[0]!.sync({ leaving: true })).status).toBe(200);
    expect(await join(token)).toBe(200);
  });

  test('crashed probes make room for other probes after a day at the latest, however long they lived', async () => {
    const token = await newToken('locked');
    const probes = await fill(token, {});
    await live(probes, 6 * 24 * hourMs, 23.9 * hourMs);
    expect(await join(token)).toBe(409);
    await live(probes, 6 * 24 * hourMs, 24.1 * hourMs);
    for (let n = 0; n < maxProbes; n++) expect(await join(token)).toBe(200);
    expect(await join(token)).toBe(409);
  });

  test('a probe that lived long does not lose the results from a cut of its link, even if other probes join and crash', async () => {
    const body = { type: 'tcp', name: 'cut', host: 'localhost', port: 1, regions: ['cut'] };
    const { id } = (await daemon.request('POST', '/api/monitors', body)).body as { id: string };
    const token = await newToken('cut');
    const [cut, ...crashed] = await fill(token, {});
    await live([cut!], 24.1 * hourMs, 2 * hourMs);
    await live(crashed, hourMs, 2 * hourMs);
    for (let n = 0; n < crashed.length; n++) expect(await join(token)).toBe(200);
    expect(await join(token)).toBe(409);
    expect((await cut!.sync({ queued: 1, oldestAt: Date.now() - hourMs })).status).toBe(200);
    const { seq: monitor, generation } = await daemon.store.db
      .updateTable('monitor')
      .set({ created_at: 0 })
      .where('id', '=', id)
      .returning(['seq', 'generation'])
      .executeTakeFirstOrThrow();
    const { body: answer } = await cut!.send([{ monitor, generation, at: Date.now() - hourMs }]);
    expect(answer).toMatchObject({ applied: 1, ignored: 0 });
  });

  test('finished probes make room first, and then silent probes, beginning with the shortest life', async () => {
    const token = await newToken('order');
    const probes = await fill(token, {});
    const [finished, finishedLater, shortest, unsent, longest] = probes;
    await finished!.sync({ leaving: true });
    await finishedLater!.sync({ leaving: true });
    await unsent!.sync({ leaving: true, queued: 3, oldestAt: Date.now() });
    await live([finished!], 48 * hourMs, 0.2 * hourMs);
    await live([finishedLater!], 48 * hourMs, 0.1 * hourMs);
    await live([shortest!], hourMs, 2 * hourMs);
    await live([unsent!], 2 * hourMs, 3 * hourMs);
    await live([longest!], 3 * hourMs, 4 * hourMs);
    for (const next of [finished, finishedLater, shortest, unsent, longest]) {
      expect(await isKnown(next!)).toBe(true);
      expect(await join(token)).toBe(200);
      expect(await isKnown(next!)).toBe(false);
    }
    expect(await join(token)).toBe(409);
  });
});
