import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeProbe } from '../../../../daemon/src/testing/fake-probe.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { testPassword } from '../../testing/account.ts';
import { openSession } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

test('an admin can create a probe token, list the probes that use it, and revoke it', async () => {
  await using session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
  await session.uptime(['login', '--email', daemon.email, '--password', '-'], { stdin: testPassword });
  expect(await session.uptime(['probes', 'list'])).toMatchObject({
    exit: 0,
    stderr: 'No probes yet. `uptime probes add <region>` makes a token for a probe.\n',
  });
  const added = await session.uptime(['probes', 'add', 'eu-west']);
  expect(added.stderr).toContain(`uptimed probe --join ${daemon.url} --token <token>`);
  const token = /uprobe_\w+/.exec(added.stdout)![0];
  const probe = createFakeProbe(daemon, token);
  expect(await probe.sync({ queued: 2, oldestAt: Date.now() - 5000, fault: 'No network.' })).toMatchObject({
    status: 200,
  });
  const listed = (await session.uptime(['probes', 'list'])).stdout;
  expect(listed).toMatch(/^eu-west +1 +1 +2 +\S+ +No network\. +prb_\w+$/m);
  expect(listed).not.toContain(token);
  expect((await session.uptime(['regions', 'list'])).stdout).toMatch(
    /^eu-west +yes +1 +1\.0\.0 +5 s +\S+ +No network\.$/m,
  );
  await createFakeProbe(daemon, token).sync({ leaving: true, version: '0.9.0', fault: 'Stopped with a fault.' });
  const crashed = createFakeProbe(daemon, token);
  await crashed.sync({ queued: 9, oldestAt: Date.now() - 3_600_000 });
  const seenAt = Date.now() - 60_000;
  await daemon.store.db.updateTable('probe').set({ seen_at: seenAt }).where('name', '=', crashed.name).execute();
  await probe.sync({ queued: 2, oldestAt: Date.now() - 5000 });
  expect((await session.uptime(['regions', 'list'])).stdout).toMatch(/^eu-west +yes +2 +1\.0\.0 +5 s +\S+( \S+)*$/m);
  expect((await session.uptime(['probes', 'list'])).stdout).not.toContain('Stopped with a fault.');
  const id = /prb_\w+/.exec(listed)![0];
  expect(await session.uptime(['probes', 'revoke', id])).toMatchObject({ exit: 0 });
  expect(await probe.sync()).toMatchObject({ status: 401 });
  expect((await session.uptime(['probes', 'add', 'us', '-q'])).stdout).toMatch(/^uprobe_[0-9a-f]{64}\n$/);
  expect(await session.uptime(['probes', 'add', 'default'])).toMatchObject({ exit: 1 });
});
