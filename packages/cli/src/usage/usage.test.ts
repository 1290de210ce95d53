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

test('an apply shows how much of each limit it uses, and fails before its first change if it exceeds a limit', async () => {
  await using session = await openAccount(daemon, 'applier');
  await session.write('monitors.yaml', heartbeats(4));
  const applied = await session.uptime(['apply', '--yes']);
  expect(applied).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^Uses monitors 4 of 5, storage 0\.01 of 2 MB \(plan Free\)\.$/m) as string,
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
      'monitors.yaml:7:5: the plan Free allows 5 monitors an account; 4 are there, and this apply adds 3',
      'monitors.yaml:11:5: the plan Free allows 1 channels a project; 0 are there, and this apply adds 2',
      'monitors.yaml:13:5: the plan Free allows 0 custom domains a project; 0 are there, and this apply adds 1',
    ].join('\n'),
  );
  expect((await session.uptime(['monitors', 'list', '-q'])).stdout.trim().split('\n')).toHaveLength(4);
  expect((await session.uptime(['channels', 'list', '-o', 'json'])).stdout).toBe('[]\n');
});

const http = (name: string, fields: string) =>
  `  - { name: ${name}, type: http, url: "http://localhost:1/", paused: true, ${fields} }`;

test('an apply reports storage, intervals and regions beyond the plan of the account, each at its line, before its first change', async () => {
  await using session = await openAccount(daemon, 'beyond');
  const large = `method: POST, body: "${'x'.repeat(99_000)}"`;
  await session.write('monitors.yaml', ['monitors:', http('old', 'interval: 60')].join('\n'));
  expect((await session.uptime(['apply', '--yes'])).exit).toBe(0);
  const lines = [
    'monitors:',
    http('old', 'interval: 10'),
    http('quick', 'interval: 59'),
    http('far', 'regions: [eu, us]'),
    '  - { name: job, type: heartbeat, interval: 5 }',
    'maintenance:',
    ...Array.from(
      { length: 12 },
      (_, at) =>
        `  - { title: w${at}, scheduledStart: "2090-01-0${(at % 9) + 1}T0${at % 9}:0${at % 6}:00Z", scheduledEnd: "2090-02-01T00:00:00Z", message: "${'m'.repeat(9_900)}" }`,
    ),
  ];
  await session.write('monitors.yaml', lines.join('\n'));
  const refused = await session.uptime(['apply', '--yes']);
  expect(refused).toMatchObject({ exit: 1 });
  expect(refused.stderr).toContain(
    [
      'nothing was changed',
      'monitors.yaml:2:82: `interval` must be at least 60 with the plan Free, not 10',
      'monitors.yaml:3:84: `interval` must be at least 60 with the plan Free, not 59',
      'monitors.yaml:4:81: `regions` must be at most 1 with the plan Free, not 2',
    ].join('\n'),
  );
  expect((await session.uptime(['ls', '-q'])).stdout.trim().split('\n')).toHaveLength(1);

  const many = Array.from({ length: 4 }, (_, at) => http(`large-${at}`, large.replaceAll('x', '\\u0001')));
  await session.write('monitors.yaml', ['monitors:', ...many].join('\n'));
  const full = await session.uptime(['apply', '--yes']);
  expect(full).toMatchObject({ exit: 1 });
  expect(full.stderr).toMatch(
    /nothing was changed\nmonitors\.yaml:4:5: the plan Free allows 2 MB of storage a project; 0 MB are used, and this apply adds about 3\.\d+ MB/,
  );
  expect((await session.uptime(['ls', '-q'])).stdout.trim().split('\n')).toHaveLength(1);
  await session.write('monitors.yaml', ['monitors:', ...many.slice(0, 2)].join('\n'));
  expect((await session.uptime(['apply', '--yes'])).exit).toBe(0);
});

test('a replacement of a monitor needs room for one more monitor, because both monitors exist for a moment', async () => {
  await using session = await openAccount(daemon, 'replacer');
  await session.write('monitors.yaml', heartbeats(5));
  expect((await session.uptime(['apply', '--yes'])).exit).toBe(0);
  await session.write(
    'monitors.yaml',
    heartbeats(5).replace('job-4, type: heartbeat', 'job-4, type: ping, host: localhost'),
  );
  expect((await session.uptime(['apply', '--yes'])).stderr).toContain(
    'monitors.yaml:6:5: the plan Free allows 5 monitors an account; 5 are there, and this apply adds 1, because the new one is created before the old one is deleted',
  );
});

test('`usage` and `doctor` show how much of the plan of the account is used', async () => {
  await using session = await openAccount(daemon, 'reader');
  await session.write('monitors.yaml', heartbeats(4));
  await session.uptime(['apply', '--yes']);
  expect((await session.uptime(['doctor'])).stdout).toMatch(
    /^ok +limits +at most 80 % of each limit of the plan \w+ is used/m,
  );
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
