import { expect, test } from 'vitest';
import { monitorOf, testContext } from '../testing/targets/index.ts';
import { checkPing } from './ping.ts';

test('a ping connects to port 80', async () => {
  // Nothing is sent, because this context forbids loopback addresses. The error names the port.
  const context = testContext({ targets: 'public-only' });
  const outcome = await checkPing(monitorOf({ type: 'ping', host: '127.0.0.1' }), context);
  expect(outcome.error).toEqual({
    code: 'blocked_target',
    message: 'connecting to 127.0.0.1:80 is not allowed by this server',
  });
});
