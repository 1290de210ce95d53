import { expect, test } from 'vitest';
import { createSeal } from '../../store/seal.ts';
import { path, type Shown } from '../../testing/channels-world.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon } from '../../testing/test-daemon.ts';

test('a channel that was stored under another secret key has an error, and a complete new config repairs the channel', async () => {
  const env = { UPTIME_SECRET_KEY: 'one secret key of thirty-two letters' };
  const daemon = await createTestDaemon({ runCheck: passingCheck, env });
  const config = { webhookUrl: 'https://hooks.example.com/services/abcdefgh' };
  const made = (await daemon.request('POST', path, { type: 'slack', name: 's', config })).body as Shown;
  // Replaces the stored config with one that was encrypted with another key, as if the daemon's key was lost.
  const foreign = createSeal('another').close(JSON.stringify(config), made.id);
  await daemon.store.db.updateTable('channel').set({ config: foreign }).execute();

  const [shown] = (await daemon.request('GET', path)).body as Shown[];
  expect(shown).toMatchObject({ config: {}, lastError: expect.stringContaining('Send the config again') as string });
  const test = await daemon.request('POST', `${path}/${made.id}/test`);
  expect(test).toMatchObject({ status: 502, body: { detail: shown!.lastError } });
  // The daemon looks for such channels when it starts.
  await daemon.restart();
  const health = await daemon.request('GET', '/healthz');
  expect(health.body).toMatchObject({
    warnings: [
      expect.stringContaining('The secrets of 0 monitor(s) and 1 channel(s) cannot be read') as string,
      `1 channel whose config cannot be read, because it was stored under another secret key: ${made.id}`,
      `1 channel whose latest message did not arrive: ${made.id}`,
    ],
  });
  const renamed = await daemon.request('PATCH', `${path}/${made.id}`, { name: 'other' });
  expect(renamed).toMatchObject({ status: 409, body: { detail: shown!.lastError } });
  const masked = await daemon.request('PATCH', `${path}/${made.id}`, { config: made.config });
  expect(masked).toMatchObject({ status: 400, body: { errors: [{ path: 'config.webhookUrl' }] } });
  const healed = await daemon.request('PATCH', `${path}/${made.id}`, { config });
  expect(healed).toMatchObject({ status: 200, body: { configDigest: made.configDigest, lastError: null } });
  await daemon.close();
});
