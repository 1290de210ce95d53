import { expect, onTestFinished, test } from 'vitest';
import { createTestDaemon } from '../../testing/test-daemon.ts';

test('a create that is repeated with the same Idempotency-Key returns again why its code was not sent', async () => {
  const daemon = await createTestDaemon({ env: { UPTIME_CONFIRM_ADDRESSES: 'on' } });
  onTestFinished(() => daemon.close());
  const channel = { type: 'email', name: 'mail', config: { address: 'ops@example.com' } };
  const options = { headers: { 'idempotency-key': 'once' } };
  const ask = async () => (await daemon.request('POST', '/api/notification-channels', channel, options)).body;
  const first = await ask();
  expect((first as { lastError: string }).lastError).toMatch(
    /^The code was not sent: The operator of this server has not set/,
  );
  expect(await ask()).toEqual(first);
});
