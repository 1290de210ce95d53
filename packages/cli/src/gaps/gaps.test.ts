import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { databases } from '../../../daemon/src/testing/databases.ts';
import { createTestDaemon, type TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../testing/account.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon({ env: { UPTIME_REGION: 'eu-west' } });
});
afterAll(() => daemon.close());

const manifest = `monitors:
  - { key: shop, name: Shop, type: tcp, host: localhost, port: 1, regions: [eu-west, eu-wst] }
  - { key: later, name: Later, type: tcp, host: localhost, port: 1, paused: true, regions: [mars] }
  - { key: job, name: Job, type: heartbeat }
`;
const rules = `channels: [{ key: hook, name: Hook, type: webhook, config: { url: "http://localhost:1/" } }]
alertRules: [{ key: all, name: All, monitors: [shop, job], channels: [hook] }]
`;
const region =
  'warning: monitors.yaml:2:86: no daemon or probe serves the region "eu-wst", so no check runs from there; did you mean "eu-west"?';
const noRule = (place: string, name: string) =>
  `warning: monitors.yaml:${place}: no alert rule watches "${name}": no one is notified when it goes down`;

test('apply and validate --server report regions that no daemon or probe serves, and monitors without a rule, each with its line in the manifest', async () => {
  await using session = await openAccount(daemon, 'coverage');
  await session.write('monitors.yaml', manifest);
  const validated = await session.uptime(['validate', '--server', '-o', 'json']);
  const { valid, warnings } = JSON.parse(validated.stdout) as { valid: boolean; warnings: { line: number }[] };
  expect({ valid, lines: warnings.map(({ line }) => line) }).toEqual({ valid: true, lines: [2, 2, 4] });
  for (const words of [
    ['validate', '--server'],
    ['apply', '--dry-run'],
    ['apply', '--yes'],
  ]) {
    const { exit, stderr } = await session.uptime(words);
    expect(exit).toBe(0);
    expect(stderr).toContain([region, noRule('2:5', 'Shop'), noRule('4:5', 'Job')].join('\n'));
    expect(stderr).not.toMatch(/warning.*Later/);
  }
  expect((await session.uptime(['validate'])).stderr).toBe('');

  await session.write('monitors.yaml', manifest + rules);
  expect((await session.uptime(['apply', '--yes'])).stderr).not.toContain('no alert rule');
  // The rule is no longer in the manifest, but it is still on the server and watches the monitor.
  await session.write('monitors.yaml', manifest);
  expect((await session.uptime(['apply', '--yes'])).stderr).not.toContain('no alert rule');
  expect(await session.uptime(['rules', 'update', 'all', '--no-enabled'])).toMatchObject({ exit: 0 });
  expect((await session.uptime(['apply', '--yes'])).stderr).toContain(noRule('4:5', 'Job'));
});

test('apply reports a monitor as unwatched if the plan deletes the only rule of the monitor', async () => {
  await using session = await openAccount(daemon, 'coverage-pruned');
  await session.write('monitors.yaml', manifest + rules);
  expect(await session.uptime(['apply', '--yes'])).toMatchObject({ exit: 0 });
  await session.write('monitors.yaml', `${manifest}alertRules: []\n`);
  expect((await session.uptime(['apply', '--prune', '--dry-run'])).stderr).toContain(noRule('2:5', 'Shop'));
});

test('validate --server accepts references to objects that only the server has, and reports unknown names', async () => {
  await using session = await openAccount(daemon, 'coverage-names');
  await session.write('monitors.yaml', 'monitors: [{ key: shop, name: Shop, type: heartbeat }]\n');
  expect(await session.uptime(['apply', '--yes'])).toMatchObject({ exit: 0 });
  const page = (monitor: string) => `statusPages: [{ name: P, slug: coverage-names, monitors: [${monitor}] }]\n`;
  await session.write('monitors.yaml', page('shop'));
  expect(await session.uptime(['validate', '--server'])).toMatchObject({ exit: 0, stderr: '' });
  await session.write('monitors.yaml', page('shp'));
  const { exit, stdout } = await session.uptime(['validate', '--server']);
  expect({ exit, stdout }).toEqual({
    exit: 2,
    stdout: 'monitors.yaml:1:59: no monitor has the key or name "shp"; did you mean "shop"?\n',
  });
});

test('in a manifest with other faults, validate --server also reports unknown names, and accepts objects that only the server has', async () => {
  await using session = await openAccount(daemon, 'coverage-faults');
  await session.write(
    'monitors.yaml',
    'channels: [{ name: Ops, type: webhook, config: { url: "http://a.example/" } }]\n',
  );
  expect(await session.uptime(['apply', '--yes'])).toMatchObject({ exit: 0 });
  const faulty = `monitors: [{ key: shop, name: Shop, type: heartbeat, intervall: 60 }]
alertRules: [{ name: R, monitors: [shop, shp], channels: [Ops, gone] }]
`;
  await session.write('monitors.yaml', faulty);
  const { exit, stdout } = await session.uptime(['validate', '--server']);
  expect({ exit, stdout }).toEqual({
    exit: 2,
    stdout: [
      'monitors.yaml:1:54: `intervall` is an unknown field; did you mean `interval`?',
      'monitors.yaml:2:42: no monitor has the key or name "shp"; did you mean "shop"?',
      'monitors.yaml:2:64: no channel has the key or name "gone"\n',
    ].join('\n'),
  });

  const away = await session.uptime(['validate', '--server', '--site-url', 'http://127.0.0.1:1']);
  expect(away.exit).toBe(2);
  expect(away.stderr).toContain('warning: the server was not asked: ');
  expect(away.stdout.split('\n')[0]).toContain('`intervall`');
});

test('a command that updates the regions of a monitor reports regions that no daemon or probe serves', async () => {
  await using session = await openAccount(daemon, 'coverage-update');
  const create = ['monitors', 'create', '--name', 'Shop', '--type', 'ping', '--host', 'localhost'];
  expect(await session.uptime(create)).toMatchObject({ exit: 0 });
  const { stderr } = await session.uptime(['monitors', 'update', 'Shop', '--regions', 'mars']);
  expect(stderr).toMatch(/^warning: no daemon or probe serves the region "mars".*\n$/);
  expect((await session.uptime(['monitors', 'update', 'Shop', '--interval', '90'])).stderr).toBe('');
  const job = ['monitors', 'create', '--name', 'Job', '--type', 'heartbeat', '--regions', 'mars'];
  expect((await session.uptime(job)).stderr).not.toContain('region');
});

test('create, apply and doctor warn about a monitor that names no region, if no daemon or probe serves the regions that should check it', async () => {
  // Only on PostgreSQL can a daemon serve the API without running checks.
  const database = databases.find(({ name }) => name === 'postgres')!;
  const nowhere = await createTestDaemon({ database, env: { UPTIME_ROLES: 'api', UPTIME_REGION: 'eu-west' } });
  onTestFinished(() => nowhere.close());
  const since = Date.now() - 60_000;
  const { db } = nowhere.store;
  await db.insertInto('region').values({ name: 'old', seen_at: since }).execute();
  await using session = await openAccount(nowhere, 'coverage-nowhere');
  const reason = 'no daemon or probe serves any region now, so no check runs for monitors that name no region';
  const create = ['monitors', 'create', '--name', 'Shop', '--type', 'ping', '--host', 'localhost'];
  expect((await session.uptime(create)).stderr).toContain(`warning: ${reason}\n`);
  await session.write('monitors.yaml', 'monitors: [{ name: Shop, type: ping, host: localhost }]\n');
  expect((await session.uptime(['apply', '--yes'])).stderr).toContain(`warning: monitors.yaml:1:12: ${reason}\n`);
  expect((await session.uptime(['doctor'])).stdout).toContain(`warning  regions   ${reason}`);

  // The region `eu` is served now, but the monitor is checked only from the region `old`, which is not served.
  await db
    .insertInto('region')
    .values({ name: 'eu', seen_at: Date.now() + 60_000 })
    .execute();
  const { stdout } = await session.uptime(['doctor']);
  expect(stdout).not.toContain(reason);
  expect(stdout).toContain('no daemon or probe serves the regions that the server chose for 1 monitor(s): Shop');
});

test('`monitors create` and doctor report regions that no daemon or probe serves, and monitors that no rule watches', async () => {
  await using session = await openAccount(daemon, 'coverage-create');
  const create = ['monitors', 'create', '--name', 'Shop', '--type', 'ping', '--host', 'localhost'];
  const { stderr } = await session.uptime([...create, '--key', 'shop', '--regions', 'mars']);
  expect(stderr).toBe(
    [
      'warning: no daemon or probe serves the region "mars", so no check runs from there; the served regions are: eu-west',
      'warning: no alert rule watches "Shop" yet: no one is notified when it goes down',
      '  type `uptime rules create --monitor shop`, or add it to a rule\n',
    ].join('\n'),
  );
  const { exit, stdout } = await session.uptime(['doctor']);
  expect(exit).toBe(0);
  expect(stdout).toContain('warning  regions   no daemon or probe serves the region "mars"');
  expect(stdout).toContain('warning  alerts    no alert rule watches 1 of 1 monitors: Shop');
});
