import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPlans, submit } from '../../../../daemon/src/testing/billing.ts';
import { passingCheck } from '../../../../daemon/src/testing/passing-check.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';
import { runInTerminal } from '../../testing/terminal.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ runCheck: passingCheck, env: { UPTIME_BILLING: 'sandbox' } });
  await createPlans(daemon, [
    { name: 'Free', monitors: 2, checkInterval: 60, regions: 1, price: 0 },
    { name: 'Team', monitors: 20, checkInterval: 10, regions: 3, price: 19.99 },
  ]);
});
afterAll(() => daemon.close());

test('the checkout prints the address of a payment page, and after the payment the chosen plan is in force', async () => {
  await using session = await openAccount(daemon, 'buyer');
  const plans = await session.uptime(['billing', 'plans']);
  expect(plans.stdout).toMatch(/^Team +19\.99 +20 +10 s +3 /m);
  expect((await session.uptime(['billing', 'subscription'])).stdout).toMatch(/^plan: +Free /m);
  const checkout = await session.uptime(['billing', 'checkout', 'Team']);
  expect(checkout).toMatchObject({ exit: 0, stderr: '' });
  const paid = await submit(checkout.stdout.trim(), { action: 'pay', card: '4242424242424242' });
  expect(paid.status).toBe(303);
  const subscription = await session.uptime(['billing', 'subscription']);
  expect(subscription.stdout).toMatch(/^plan: +Team \(pln_\w+\)\nstatus: +active\nperiod: /);
  const again = await session.uptime(['billing', 'checkout', 'Team']);
  expect(again).toMatchObject({ exit: 1, stderr: expect.stringContaining('is on Team already') as string });
});

test('if an apply exceeds the plan of the account, the error names the lines of the manifest', async () => {
  await using session = await openAccount(daemon, 'planner');
  await session.write(
    'monitors.yaml',
    [
      'monitors:',
      '  - { name: a, type: heartbeat }',
      '  - name: fast',
      '    type: ping',
      '    host: localhost',
      '    interval: 30',
    ].join('\n'),
  );
  const fast = await session.uptime(['apply', '-f', 'monitors.yaml', '--yes']);
  expect(fast.stderr).toMatch(
    /nothing was changed\nmonitors\.yaml:6:\d+: `interval` must be at least 60 with the plan Free, not 30\n/,
  );
  await session.write(
    'monitors.yaml',
    ['monitors:', ...['a', 'b', 'c'].map((name) => `  - { name: ${name}, type: heartbeat }`)].join('\n'),
  );
  const many = await session.uptime(['apply', '-f', 'monitors.yaml', '--yes']);
  expect(many.stderr).toMatch(
    /monitors\.yaml:4:\d+: the plan Free allows 2 monitors an account; 0 are there, and this apply adds 3/,
  );
});

test('on a terminal, the checkout opens the payment page in the browser', async () => {
  await using session = await openAccount(daemon, 'sitter');
  const opened = join(session.cwd, 'opened');
  const browser = join(session.cwd, 'browser');
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`);
  await chmod(browser, 0o700);
  const run = runInTerminal(['billing', 'checkout', 'Team'], {
    env: { ...session.env, BROWSER: browser },
    cwd: session.cwd,
  });
  const { exit, sent } = await run.ended;
  expect({ exit, sent }).toMatchObject({ exit: 0, sent: expect.stringContaining('/checkout/sandbox?') as string });
  expect(sent).not.toContain('did not open');
  await vi.waitFor(
    async () => expect(await readFile(opened, 'utf8')).toContain(`${daemon.url}/checkout/sandbox?`),
    10_000,
  );
});
