import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../deps.ts';
import { bucketOf, versionsToText } from '../core/version-buckets.ts';
import { probeProtocol, versionOf } from '../probe-protocol.ts';
import { databases } from '../testing/databases.ts';
import { createFakeProbe, type FakeProbe, hasOf } from '../testing/fake-probe.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../testing/test-daemon.ts';
import { startWaiting } from '../testing/waiting-time.ts';
import { boundMs } from '../testing/bound-ms.ts';
import { silentAfterMs } from '../lifecycle/regions.ts';
import { createSync } from './sync.ts';

describe.each(databases)('probes on $name', (database) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
  });
  afterAll(() => daemon.close());

  const { admin, join, create } = probesOf(() => daemon);
  const monitorsOf = ({ body }: { body: { assignments: { monitor: number }[] } }) =>
    body.assignments.map(({ monitor }) => monitor);

  test('the API shows the text of a token only once, and a revoked token stops working at once', async () => {
    const probe = await join('asia');
    const { body: tokens } = await admin('GET', '/api/probes');
    expect(tokens).toContainEqual({
      id: probe.id,
      region: 'asia',
      createdAt: expect.any(String) as string,
      probes: [],
    });
    const stored = await daemon.store.db.selectFrom('probe_token').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(probe.token);
    const first = await probe.sync();
    expect(first.status).toBe(200);
    const waiting = probe.sync({ has: await hasOf([first.body]), waitMs: 5000 });
    expect(await admin('DELETE', `/api/probes/${probe.id}`)).toMatchObject({ status: 204 });
    expect(await waiting).toMatchObject({ status: 401 });
    expect(await probe.sync()).toMatchObject({ status: 401 });
    expect(await probe.send([{}])).toMatchObject({ status: 401 });
    expect(await admin('DELETE', `/api/probes/${probe.id}`)).toMatchObject({ status: 404 });
  });

  test('the server refuses a call if the token was revoked after the call was authenticated', async () => {
    const signal = new AbortController().signal;
    const vault = { open: () => expect.unreachable() };
    const options = { store: daemon.store, vault, targets: 'all' as const, observingSince: () => 0, stopping: signal };
    const sync = createSync({ clock: systemClock, log: silentLog }, options);
    const { id: region } = await daemon.store.db.selectFrom('region').select('id').executeTakeFirstOrThrow();
    const state = { waitMs: 0, queued: 0, oldestAt: null, skewMs: 0, fault: null, failing: false, leaving: false };
    const call = {
      protocol: probeProtocol,
      probe: 'a'.repeat(16),
      run: null,
      joins: true,
      version: '1.0.0',
      sentAt: 0,
      has: await hasOf([]),
      versions: [],
      ...state,
    };
    const revoked = sync({ id: 'revoked', region }, call, signal);
    await expect(revoked).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('if a new probe sends its first call several times at once, each call gets an answer', async () => {
    const probe = await join('repeated');
    const answers = await Promise.all([1, 2, 3, 4].map(() => probe.sync()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const stored = await daemon.store.db.selectFrom('probe').select('token').where('name', '=', probe.name).execute();
    expect(stored).toEqual([{ token: probe.id }]);
  });

  test('if two processes use copies of one data folder, the server accepts only the process that joined last', async () => {
    const probe = await join('copied');
    const copy = createFakeProbe(daemon, probe.token, probe.ownName);
    const { monitor } = await create({ regions: ['copied'] });
    const [older, newer] = ['a', 'b'].map((letter) => ({ run: letter.repeat(16) }));
    expect(await probe.sync({ ...older, joins: true })).toMatchObject({ status: 200 });
    expect(await copy.sync({ ...newer, joins: true })).toMatchObject({ status: 200 });
    const refused = { status: 409, body: { code: 'conflict', detail: expect.stringContaining('copy') as string } };
    expect(await probe.sync(older)).toMatchObject(refused);
    expect(await probe.send([{ monitor }], older)).toMatchObject(refused);
    expect(await copy.sync(newer)).toMatchObject({ status: 200 });
    expect(await copy.send([{ monitor }], newer)).toMatchObject({ status: 200, body: { applied: 1, ignored: 0 } });
    // A call without a `run` does not make the server accept the older process again.
    expect(await copy.sync()).toMatchObject({ status: 200 });
    expect(await probe.sync(older)).toMatchObject(refused);
    // If the newer process stops calling, the server accepts the older process again. This matters after a restore of
    // the server's database, because the restored row may name a process that no longer runs.
    await daemon.store.db
      .updateTable('probe')
      .set({ seen_at: Date.now() - silentAfterMs - 1000 })
      .where('name', '=', probe.name)
      .execute();
    expect(await probe.sync(older)).toMatchObject({ status: 200 });
  });

  test('a probe gets no monitors of a region from which the daemon itself checks', async () => {
    expect(await admin('POST', '/api/probes', { region: 'default' })).toMatchObject({ status: 409 });
  });

  test('a probe gets the monitors of its region with their secrets, and nothing else', async () => {
    const probe = await join('eu');
    const { monitor } = await create({
      type: 'http',
      host: undefined,
      port: undefined,
      url: 'https://shop.example/',
      headers: { Authorization: 'Bearer s3cret' },
      regions: ['eu'],
      description: 'notes',
    });
    await create({ regions: ['default'] });
    await create({ regions: ['us'] });
    const { body } = await probe.sync();
    expect(body).toMatchObject({ protocol: 2, region: { name: 'eu' }, ask: [], removed: [] });
    expect(body.assignments).toMatchObject([
      { monitor, generation: 0, project: daemon.project.id, fields: { headers: { Authorization: 'Bearer s3cret' } } },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/notes|"name":"m"/);
  });

  test('an edit reaches a waiting probe within two seconds, without a new list of all monitors', async () => {
    const probe = await join('edits');
    const { id, monitor } = await create({ regions: ['edits'] });
    const other = await create({ regions: ['edits'] });
    const first = await probe.sync();
    expect(monitorsOf(first).toSorted((a, b) => a - b)).toEqual([monitor, other.monitor]);
    const stopwatch = startWaiting();
    const waiting = probe.sync({ has: await hasOf([first.body]), waitMs: 5000 });
    await daemon.request('PATCH', `/api/monitors/${id}`, { timeout: 7 });
    const second = await waiting;
    expect(stopwatch.ms()).toBeLessThan(boundMs(2000));
    expect(second.body).toMatchObject({ ask: [], assignments: [{ monitor, fields: { timeout: 7 } }], removed: [] });
    await daemon.request('DELETE', `/api/monitors/${id}`);
    const has = await hasOf([first.body, second.body]);
    const third = await probe.sync({ has, waitMs: 5000 });
    expect(third.body).toMatchObject({ ask: [], assignments: [], removed: [monitor] });
    // The probe repeats its call, as if the answer had not reached it.
    const lost = await probe.sync({ has, waitMs: 5000 });
    expect(lost.body).toMatchObject({ ask: [bucketOf(monitor)], assignments: [], removed: [] });
    // The probe names the monitors of the bucket, because the server knows only their digest.
    const text = versionsToText(new Map([[monitor, versionOf(second.body.assignments[0]!)]]));
    const named = await probe.sync({ has, versions: [{ bucket: bucketOf(monitor), text }], waitMs: 5000 });
    expect(named.body).toMatchObject({ ask: [], assignments: [], removed: [monitor] });
    // The server ignores a text that does not fit its digest.
    const wrong = await probe.sync({ has, versions: [{ bucket: bucketOf(monitor), text: '' }] });
    expect(wrong.body).toMatchObject({ ask: [bucketOf(monitor)], removed: [] });
    expect(monitorsOf(await probe.sync())).toEqual([other.monitor]);
  });

  test('two probes share the monitors of their region, and if one probe is silent, the other takes over all monitors', async () => {
    const one = await join('shared');
    const two = createFakeProbe(daemon, one.token);
    const all: number[] = [];
    for (let n = 0; n < 12; n++) all.push((await create({ regions: ['shared'] })).monitor);
    await one.sync();
    await two.sync();
    const shares = async () => [await one.sync(), await two.sync()].map((answer) => monitorsOf(answer));
    await vi.waitFor(async () => {
      const [ofOne, ofTwo] = await shares();
      expect(ofOne!.length).toBeGreaterThan(0);
      expect(ofTwo!.length).toBeGreaterThan(0);
      expect([...ofOne!, ...ofTwo!].toSorted((a, b) => a - b)).toEqual(all);
    }, 20_000);
    await daemon.store.db
      .updateTable('probe')
      .set({ seen_at: Date.now() - 31_000 })
      .where('name', '=', two.name)
      .execute();
    await vi.waitFor(async () => expect(monitorsOf(await one.sync())).toEqual(all), 20_000);
  });

  test('if most checks of a probe give no verdict, another probe of its region takes over all its monitors', async () => {
    const one = await join('failing');
    const two = createFakeProbe(daemon, one.token);
    const all: number[] = [];
    for (let n = 0; n < 12; n++) all.push((await create({ regions: ['failing'] })).monitor);
    await vi.waitFor(async () => {
      expect(monitorsOf(await one.sync()).length).toBeGreaterThan(0);
      expect(monitorsOf(await two.sync()).length).toBeGreaterThan(0);
    }, 20_000);
    await two.sync({ failing: true });
    await vi.waitFor(async () => {
      expect(monitorsOf(await two.sync())).toEqual([]);
      expect(monitorsOf(await one.sync())).toEqual(all);
    }, 20_000);
    const faultOf = async (options: object) => {
      const { body } = await daemon.request('GET', '/api/regions', undefined, options);
      const regions = body as { name: string; probes: { name: string; fault: string | null }[] }[];
      return regions.find(({ name }) => name === 'failing')?.probes.find(({ name }) => name === two.name)?.fault;
    };
    expect(await faultOf({})).toContain('Most of its checks gave no verdict');
    const { body } = await daemon.request('GET', '/healthz');
    expect((body as { warnings: string[] }).warnings.join()).toContain('cannot check: Most of its checks');
    const stranger = await daemon.another('reader');
    expect(await faultOf({ apiKey: stranger.apiKey })).toBe(
      'The probe has a fault. The operator of the server sees the reason.',
    );
  });

  test('`/healthz` names silent probes and probes that cannot check, but only if the operator asks', async () => {
    const [ill, cut, stopped] = [await join('ill'), await join('cut'), await join('stopped')];
    await ill.sync({ fault: 'No network.' });
    await cut.sync();
    await stopped.sync();
    await stopped.sync({ leaving: true });
    const seenAt = Date.now() - 60_000;
    await daemon.store.db.updateTable('probe').set({ seen_at: seenAt }).where('name', '=', cut.name).execute();
    const { body } = await daemon.request('GET', '/healthz');
    const { warnings } = body as { warnings: string[] };
    const nameOf = ({ name }: FakeProbe) => `Probe ${name.slice(0, 8)} of region`;
    expect(warnings).toContain(`${nameOf(ill)} "ill" cannot check: No network.`);
    const since = new Date(seenAt).toISOString();
    expect(warnings).toContain(`${nameOf(cut)} "cut" is silent: it last reported at ${since}.`);
    expect(warnings.join(' ')).not.toContain('"stopped"');
    const stranger = await daemon.request('GET', '/healthz', undefined, { apiKey: null });
    expect(JSON.stringify(stranger.body)).not.toContain('Probe');
  });

  test('the API lists the probes of each region with version, lag and skew', async () => {
    const probe = await join('listed');
    await probe.sync({ queued: 3, oldestAt: Date.now() - 60_000, skewMs: 1500, fault: 'No network.' });
    const { body } = await daemon.request('GET', '/api/regions');
    expect((body as { name: string }[]).find(({ name }) => name === 'listed')).toMatchObject({
      served: true,
      probes: [
        {
          name: probe.name,
          version: '1.0.0',
          live: true,
          queued: 3,
          lagSeconds: 60,
          clockSkewSeconds: 1.5,
          fault: 'No network.',
        },
      ],
    });
  });
});
