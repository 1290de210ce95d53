import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SeenCertificate } from '../checks/check.ts';
import { databases } from '../testing/databases.ts';
import { probesOf } from '../testing/joined-probes.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../testing/test-daemon.ts';

const [first, last] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'] as const;
const [earliest, latest] = [Date.parse(first), Date.parse(last)];
const certificateOf = (more: Partial<SeenCertificate>): SeenCertificate => ({
  validFrom: 0,
  validTo: latest,
  issuer: 'i',
  subject: 's',
  fingerprint: 'f',
  error: null,
  ...more,
});

describe.each(databases)('results that a stolen token sends, on $name', (database) => {
  let daemon: TestDaemon;
  let channel: string;
  beforeAll(async () => {
    daemon = await createTestDaemon({ database, runCheck: passingCheck });
    const fields = { name: 'c', type: 'webhook', config: { url: 'https://c.example/' } };
    channel = ((await daemon.request('POST', '/api/notification-channels', fields)).body as { id: string }).id;
  });
  afterAll(() => daemon.close());

  const { join } = probesOf(() => daemon);
  /** Makes a probe join this region. Creates a monitor of the region, and a rule for the monitor. */
  const attacked = async (region: string) => {
    const probe = await join(region);
    const input = { type: 'http', name: region, url: 'https://h.example/', regions: [region] };
    const { id } = (await daemon.request('POST', '/api/monitors', input)).body as { id: string };
    const { db } = daemon.store;
    const { seq } = await db.selectFrom('monitor').select('seq').where('id', '=', id).executeTakeFirstOrThrow();
    await addRule(id);
    await probe.sync();
    return { id, monitor: seq, probe };
  };
  const addRule = async (id: string) => {
    const rule = { name: 'r', trigger: 'monitor_down', monitorIds: [id], channelIds: [channel] };
    expect((await daemon.request('POST', '/api/alert-rules', rule)).status).toBe(201);
  };
  /** Expects that the owner can read and edit the monitor, and resolves with the monitor. */
  const expectUsable = async (id: string) => {
    const reads = ['', `/${id}`, `/${id}/response-times`, `/${id}/stats`, `/${id}/events`];
    for (const path of reads) expect((await daemon.request('GET', `/api/monitors${path}`)).status, path).toBe(200);
    const edited = await daemon.request('PATCH', `/api/monitors/${id}`, { description: 'd' });
    expect(edited.status).toBe(200);
    await addRule(id);
    return edited.body;
  };

  test('results are refused if the dates of a certificate are impossible', async () => {
    const { id, monitor, probe } = await attacked('dates');
    for (const at of [1e300, -1e300, 8.64e15, latest + 1, earliest - 1, 0.5])
      for (const field of ['validFrom', 'validTo']) {
        const answer = await probe.send([{ monitor, certificate: certificateOf({ [field]: at }) }]);
        expect(answer, `${field} ${at}`).toMatchObject({
          status: 400,
          body: { detail: expect.stringContaining(`results.0.certificate.${field} `) as string },
        });
      }
    expect(await expectUsable(id)).toMatchObject({ status: 'pending', certificate: null });
  });

  test.each<[string, string]>([
    [first, last],
    [last, first],
  ])('results with extreme but allowed values, such as dates from %s to %s, are stored and shown', async (from, to) => {
    const { id, monitor, probe } = await attacked(`from-${from.slice(0, 4)}`);
    for (const value of [0, 1e9]) {
      const timings = { dns: value, connect: value, tls: value, firstByte: value, download: value };
      const numbers = { responseTime: value, statusCode: Math.min(value, 999), timings };
      const thinned = { since: Math.min(value * 1e7, 8.64e15), longestGapMs: value === 0 ? 0 : 1e300 };
      const result = {
        ...numbers,
        thinned,
        certificate: certificateOf({ validFrom: Date.parse(from), validTo: Date.parse(to) }),
      };
      expect(await probe.send([{ monitor, ...result }])).toMatchObject({ status: 200, body: { ignored: 0 } });
    }
    expect(await expectUsable(id)).toMatchObject({ certificate: { validFrom: from, validTo: to } });
    // The server ignores results of unknown monitors. It records no results from the future.
    const ignored = await probe.send([{ monitor: 9e15 }, { monitor, generation: 1e9 }]);
    expect(ignored).toMatchObject({ status: 200, body: { ignored: 2 } });
    expect(await probe.send([{ monitor, at: 8.64e15, begun: 8.64e15 }])).toMatchObject({ status: 503 });
    expect(await probe.sync({ queued: 1e9, oldestAt: 8.64e15, skewMs: -9e15 })).toMatchObject({ status: 200 });
    expect((await daemon.request('GET', '/api/regions')).status).toBe(200);
  });

  test('results are stored without the control characters of their texts', async () => {
    const { id, monitor, probe } = await attacked('texts');
    const text = 'a\u0000\u001b[2Jb';
    const error = { code: 'tls_expired' as const, message: text };
    const names = { issuer: text, subject: text, fingerprint: text };
    const answer = await probe.send([
      { monitor, verdict: 'down', error, certificate: certificateOf({ ...names, error }) },
    ]);
    expect(answer).toMatchObject({ status: 200, body: { ignored: 0 } });
    const plain = 'a [2Jb';
    expect(await expectUsable(id)).toMatchObject({ certificate: { issuer: plain, subject: plain, error: plain } });
    const { body } = await daemon.request('GET', `/api/monitors/${id}/response-times`);
    expect(body).toMatchObject([{ error: { message: plain } }]);
  });

  test('a certificate with impossible dates does no harm if an earlier version has stored it', async () => {
    const { id, monitor } = await attacked('stored');
    for (const times of [
      { validFrom: 1e300, validTo: -1e300 },
      { validFrom: -1e300, validTo: 1e300 },
      { validFrom: 0.5, validTo: Number.NaN },
    ]) {
      const certificate = JSON.stringify(certificateOf(times));
      await daemon.store.db.updateTable('monitor_state').set({ certificate }).where('monitor', '=', monitor).execute();
      await expectUsable(id);
    }
  });
});
