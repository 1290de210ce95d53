import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { openTestAlert } from '../testing/outbox.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { hang, httpTarget } from '../testing/targets/index.ts';
import { createTestDaemon, type TestDaemon, type TestUser } from '../testing/test-daemon.ts';

describe('access to `/healthz`', () => {
  let clock: FakeClock;
  let daemon: TestDaemon;
  let stranger: TestUser;
  const logged: string[] = [];
  beforeAll(async () => {
    clock = createFakeClock();
    const log = createLog({ level: 'warn', format: 'json', write: (line) => void logged.push(line) });
    daemon = await createTestDaemon({ clock, log, runCheck: passingCheck });
    stranger = await daemon.another('eve');
    const monitor = { type: 'tcp', name: 't', host: 'inner.example', port: 1, regions: ['inner-example'] };
    expect((await daemon.request('POST', '/api/monitors', monitor)).status).toBe(201);
  });
  afterAll(() => daemon.close());

  const health = (who: { apiKey?: string | null; cookie?: string; headers?: Record<string, string> }) =>
    daemon.request('GET', '/healthz', undefined, who);
  const strangers = () => [
    { apiKey: null },
    { apiKey: stranger.apiKey },
    { cookie: stranger.cookie },
    { apiKey: 'uptime_unknown' },
    { apiKey: `uptime_${'0'.repeat(40)}` },
    { cookie: 'uptime.session_token=forged' },
  ];
  const operators = () => [
    { apiKey: daemon.apiKey },
    { cookie: daemon.cookie },
    { apiKey: null, headers: { authorization: `Bearer ${daemon.apiKey}` } },
  ];

  test('`/healthz` shows everyone the status and the version, and shows only the operator the warnings', async () => {
    for (const who of strangers()) {
      const { status, body } = await health(who);
      expect(status).toBe(200);
      expect(body).toEqual({ status: 'ok', version: expect.any(String) as string });
    }
    for (const who of operators()) {
      const { status, body } = await health(who);
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'ok',
        version: expect.any(String) as string,
        reason: null,
        roles: ['api', 'checker', 'deliver', 'housekeeping'],
        warnings: [
          'Monitors name regions that were never served: "inner-example". 1 monitor(s) are not checked from there.',
        ],
      });
    }
  });

  test('`/healthz` returns 503 while the loops of the daemon stall, shows the operator the reason, and does not log who asks', async () => {
    clock.jump(60_000);
    for (const who of operators()) {
      const ill = await health(who);
      const { reason } = ill.body as { reason: string };
      expect(reason).toMatch(/./);
      expect(ill).toMatchObject({
        status: 503,
        body: { status: 503, code: 'unavailable', detail: reason, warnings: [expect.any(String)] },
      });
    }
    for (const who of strangers()) {
      const ill = await health(who);
      expect(ill.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      const { detail, requestId, ...rest } = ill.body as { detail: string; requestId: string };
      expect(detail).toBe(
        "This server cannot serve now. Its log has the reason. An admin also gets it at this address, with their session or their project's API key.",
      );
      expect(requestId).toMatch(/./);
      expect(rest).toEqual({
        type: 'urn:uptime:problem:unavailable',
        title: 'Currently unavailable',
        status: 503,
        code: 'unavailable',
        version: expect.any(String) as string,
      });
    }
    expect(logged.filter((line) => line.includes('/healthz'))).toEqual([]);
  });
});

test('`/healthz` warns of messages that have waited for more than a minute', async () => {
  await using target = await httpTarget(hang);
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  try {
    const config = { webhookUrl: `${target.url}/hook` };
    await daemon.request('POST', '/api/notification-channels', { type: 'slack', name: 'hangs', config });
    const { seq: channel } = await daemon.store.db.selectFrom('channel').select('seq').executeTakeFirstOrThrow();
    const at = Date.now() - 120_000;
    const sentAtOnce = 4 * daemon.nodes;
    for (let monitor = 0; monitor < sentAtOnce + 2; monitor++)
      await openTestAlert(daemon.store, `alr_${monitor}`, { channel, at, monitor, project_id: daemon.project.id });
    await expect
      .poll(async () => (await daemon.request('GET', '/healthz')).body)
      .toMatchObject({ warnings: ['Messages to 1 channel(s) have been waiting for more than a minute.'] });
    await expect.poll(() => target.requests.length).toBe(sentAtOnce);
  } finally {
    await daemon.close();
  }
});
