import { expect, test } from 'vitest';
import { monitorOf, freePort, tcpTarget, testContext } from '../testing/targets/index.ts';
import { checkTcp } from './tcp.ts';

const context = testContext();
const check = (port: number) => checkTcp(monitorOf({ type: 'tcp', host: '127.0.0.1', port }), context);

test('a check of a port that accepts the connection passes', async () => {
  await using target = await tcpTarget();
  const outcome = await check(target.port);
  expect(outcome).toMatchObject({ verdict: 'up', error: null, statusCode: null });
  expect(outcome.responseTime).toBeGreaterThan(0);
});

test('a check of a port that refuses the connection fails', async () => {
  expect(await check(await freePort())).toMatchObject({ verdict: 'down', error: { code: 'connect_refused' } });
});
