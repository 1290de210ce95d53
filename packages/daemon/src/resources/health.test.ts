import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { openTestAlert } from '../testing/outbox.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { hang, httpTarget } from '../testing/targets/index.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

test('healthz answers 503, with the reason, when the loops stand still, and logs nothing of who asks', async () => {
  const clock = createFakeClock();
  const logged: string[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => void logged.push(line) });
  const daemon = await createTestDaemon({ clock, log, runCheck: passingCheck });
  try {
    const well = await daemon.request('GET', '/healthz', undefined, { apiKey: null });
    expect(well).toMatchObject({ status: 200, body: { status: 'ok', reason: null } });
    clock.jump(60_000);
    const ill = await daemon.request('GET', '/healthz', undefined, { apiKey: null });
    const { reason } = ill.body as { reason: string };
    expect(reason).toMatch(/./);
    expect(ill).toMatchObject({
      status: 503,
      body: { status: 503, code: 'unavailable', detail: reason, version: expect.any(String) as string, warnings: [] },
    });
    expect(ill.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(logged.filter((line) => line.includes('/healthz'))).toEqual([]);
  } finally {
    await daemon.close();
  }
});

test('healthz warns of messages that nobody began to send for a minute', async () => {
  await using target = await httpTarget(hang);
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  try {
    const config = { webhookUrl: `${target.url}/hook` };
    await daemon.request('POST', '/api/notification-channels', { type: 'slack', name: 'hangs', config });
    const { seq: channel } = await daemon.store.db.selectFrom('channel').select('seq').executeTakeFirstOrThrow();
    const at = Date.now() - 120_000;
    // More than are under way at once.
    for (let monitor = 0; monitor < 6; monitor++)
      await openTestAlert(daemon.store, `alr_${monitor}`, { channel, at, monitor, project_id: daemon.project.id });
    await expect
      .poll(async () => (await daemon.request('GET', '/healthz', undefined, { apiKey: null })).body)
      .toMatchObject({ warnings: ['Messages to 1 channel(s) wait for more than a minute to be sent.'] });
    await expect.poll(() => target.requests.length).toBe(4);
  } finally {
    await daemon.close();
  }
});
