import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openSession, type Session } from '../../testing/session.ts';

let daemon: TestDaemon;
let session: Session<Parameters<typeof openSession>[0] & object>;
beforeAll(async () => {
  daemon = await createTestDaemon();
  session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await daemon.close();
});

const create = async (name: string, ...words: string[]): Promise<string> => {
  const { stdout } = await session.uptime(['keys', 'create', '--name', name, '-o', 'json', ...words]);
  return (JSON.parse(stdout) as { key: string }).key;
};

test('doctor shows the name, scope and expiry of the key, and warns two weeks before the expiry', async () => {
  const doctor = (key: string) => session.uptime(['doctor', '--api-key', key]);
  const lasting = await doctor(await create('lasting', '--scope', 'read', '--expires', '15d'));
  expect(lasting).toMatchObject({ exit: 0 });
  expect(lasting.stdout).toMatch(/^ok +key .*key "lasting" with the scope read, until \d{4}-/m);
  const ending = await doctor(await create('ending', '--scope', 'apply', '--expires', '13d'));
  expect(ending).toMatchObject({ exit: 0 });
  expect(ending.stdout).toMatch(/^warning +key .*key "ending" with the scope apply/m);
  expect(ending.stdout).toMatch(/it expires in 12 d: .*`uptime keys create --name <name> --scope apply --expires 90d`/);
  // A key with the scope `ping` may not read the data for the other examinations of doctor.
  const job = await doctor(await create('job', '--scope', 'ping'));
  expect(job).toMatchObject({ exit: 0, stdout: expect.stringContaining('with the scope ping') });
});

test('login and whoami say which scope a key has', async () => {
  const key = await create('reader', '--scope', 'read');
  const login = await session.uptime(['login', '--api-key', '-'], { stdin: key });
  expect(login).toMatchObject({ exit: 0, stderr: expect.stringContaining('key "reader" with the scope read') });
  expect((await session.uptime(['whoami', '--api-key', key])).stdout).toMatch(/^may: +read \(key "reader"\)$/m);
  const { stdout } = await session.uptime(['whoami', '--api-key', key, '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ apiKey: { scope: 'read', expiresAt: null }, project: { name: 'ada' } });
});

test('if the scope of the key is too small, the error names the needed scope and the command that creates such a key', async () => {
  const key = await create('ci', '--scope', 'read');
  const refused = await session.uptime(['monitors', 'create', '--type', 'heartbeat', '--name', 'x', '--api-key', key]);
  expect(refused.exit).toBe(4);
  expect(refused.stderr).toContain('needs an API key with the scope "apply"; the key "ci" has the scope "read"');
  expect(refused.stderr).toContain('`uptime keys create --name <name> --scope apply`');
});

test('a key with the scope read can run `apply --dry-run`, and a key with the scope apply can run apply', async () => {
  await session.write('m.yaml', 'monitors: [{ key: job, name: Nightly, type: heartbeat }]\n');
  const key = { read: await create('plan', '--scope', 'read'), apply: await create('deploy', '--scope', 'apply') };
  const apply = (by: string, ...words: string[]) =>
    session.uptime(['apply', '-f', 'm.yaml', '--api-key', by, ...words]);
  expect(await apply(key.read, '--dry-run')).toMatchObject({ exit: 0 });
  expect(await apply(key.read, '--yes')).toMatchObject({ exit: 4 });
  expect(await apply(key.apply, '--yes')).toMatchObject({ exit: 0 });
});

test('an API key with the scope ping is enough to ping a monitor by its key or its name', async () => {
  const key = await create('backup', '--scope', 'ping');
  for (const name of ['job', 'Nightly']) {
    expect(await session.uptime(['ping', name, '--api-key', key])).toMatchObject({ exit: 0 });
  }
});
