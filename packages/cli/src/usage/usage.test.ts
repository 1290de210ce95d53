import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlans } from '../../../daemon/src/testing/billing.ts';
import { passingCheck } from '../../../daemon/src/testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../testing/account.ts';
import { runInTerminal } from '../testing/terminal.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
  const limits = { monitors: 5, checkInterval: 60, regions: 1, channels: 1, customDomains: 0, storageMegabytes: 2 };
  await createPlans(daemon, [{ name: 'Free', price: 0, ...limits }]);
});
afterAll(() => daemon.close());

const heartbeats = (count: number) =>
  ['monitors:', ...Array.from({ length: count }, (_, at) => `  - { name: job-${at}, type: heartbeat }`)].join('\n');

test('an apply shows what it takes, and refuses what has no place before the first call', async () => {
  await using session = await openAccount(daemon, 'applier');
  await session.write('monitors.yaml', heartbeats(4));
  const applied = await session.uptime(['apply', '--yes']);
  expect(applied).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('Uses monitors 4 of 5 (plan Free).\n') as string,
  });

  const more = `
channels:
  - { name: a, type: webhook, config: { url: "http://localhost:1/" } }
  - { name: b, type: webhook, config: { url: "http://localhost:1/" } }
statusPages:
  - { name: P, slug: applier, customDomain: status.example.com, monitors: [] }
`;
  await session.write('monitors.yaml', heartbeats(7) + more);
  const refused = await session.uptime(['apply', '--yes']);
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stderr).toContain(
    [
      'nothing was changed',
      'monitors.yaml:7:5: the plan Free allows 5 monitors an account; 4 are there, and this adds 3',
      'monitors.yaml:11:5: the plan Free allows 1 channels a project; 0 are there, and this adds 2',
      'monitors.yaml:13:5: the plan Free allows 0 custom domains a project; 0 are there, and this adds 1',
    ].join('\n'),
  );
  expect((await session.uptime(['monitors', 'list', '-q'])).stdout.trim().split('\n')).toHaveLength(4);
  expect((await session.uptime(['channels', 'list', '-o', 'json'])).stdout).toBe('[]\n');
});

test('usage and doctor say how full a plan is', async () => {
  await using session = await openAccount(daemon, 'reader');
  await session.write('monitors.yaml', heartbeats(4));
  await session.uptime(['apply', '--yes']);
  expect((await session.uptime(['doctor'])).stdout).toMatch(/^ok +limits +at most 80 % used of each limit/m);
  await session.uptime(['monitors', 'create', '--name', 'one', '--type', 'heartbeat']);
  expect((await session.uptime(['doctor'])).stdout).toMatch(
    /^warning +limits +monitors: 5 of 5 that the plan Free allows\n +type `uptime usage`/m,
  );
  const { stdout } = await session.uptime(['usage']);
  expect(stdout).toMatch(/^plan: +Free\nchecks: +0 a minute, 0 under way, 0 waiting\nmails: +0 of 10000 a day\n/);
  expect(stdout).toMatch(/^NAME +SCOPE +USED +LIMIT$/m);
  expect(stdout).toMatch(/^monitors +account +5 +5$/m);
  expect(stdout).toMatch(/^storage +project +0\.01 MB +2 MB$/m);

  const shown = await runInTerminal(['usage'], { env: session.env, cwd: session.cwd }).ended;
  expect(shown.sent).toMatch(/monitors +account +5 +5 +█{10} 100 %/);
});
