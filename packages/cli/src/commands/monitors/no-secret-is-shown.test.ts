import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeal } from '../../../../daemon/src/store/seal.ts';
import { type HttpTarget, httpTarget } from '../../../../daemon/src/testing/targets/index.ts';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';
import type { Session, SessionServer } from '../../testing/session.ts';
import { runInTerminal } from '../../testing/terminal.ts';

const canary = 'C4n4ryB1rd';
let target: HttpTarget;
let daemon: TestDaemon;
let session: Session<SessionServer>;
beforeAll(async () => {
  // The target redirects to an address that contains the token, so the token could appear in the trace.
  target = await httpTarget((request, response) => {
    const credentials = encodeURIComponent(
      `${String(request.headers['x-tenant'])} ${request.headers.authorization ?? ''}`,
    );
    if (request.url?.startsWith('/health')) response.writeHead(302, { location: `/login?was=${credentials}` }).end();
    else response.writeHead(500).end();
  });
  daemon = await createTestDaemon();
  session = await openAccount(daemon, 'no-secret');
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await Promise.all([daemon.close(), target.close()]);
});

const manifest = (turn: number, more = '') =>
  [
    'monitors:',
    `  - key: shop`,
    `    name: Shop`,
    `    type: http`,
    `    url: "${target.url.replace('://', `://ada:${canary}-password-${turn}@`)}/health?api_key=${canary}-key-${turn}"`,
    `    method: POST`,
    `    headers: { X-Tenant: "${canary}-tenant-${turn}", Accept: "text/x-${turn}" }`,
    `    body: '{"password":"${canary}-body-${turn}"}'`,
    more,
  ].join('\n');

test('the commands that validate, plan, change, check or show a monitor print no secret of it', async () => {
  const all: string[] = [];
  const run = async (...words: string[]) => {
    const { exit, stdout, stderr } = await session.uptime(words);
    all.push(`${words.join(' ')}: ${stdout}${stderr}`);
    return { exit, stdout };
  };
  await session.write('monitors.yaml', manifest(1, '    intervall: 5'));
  expect((await run('validate')).exit).not.toBe(0);
  await session.write('monitors.yaml', manifest(1));
  await run('test', '--explain');
  await run('diff', '-o', 'json');
  const created = await run('diff');
  expect(created.stdout).toMatch(/body: \(not shown\)/);
  expect((await run('apply', '--yes')).exit).toBe(0);
  await session.write('monitors.yaml', manifest(2));
  const changed = await run('diff');
  // A plan shows the values of headers that hold no credential.
  expect(changed.stdout).toContain('headers.Accept: "text/x-1" → "text/x-2"');
  expect(changed.stdout).toContain('headers.X-Tenant: (changed, not shown)');
  expect(changed.stdout).toContain('body: (changed, not shown)');
  await run('diff', '-o', 'json');
  expect((await run('apply', '--yes')).exit).toBe(0);
  expect((await run('apply', '--yes')).stdout).toContain('1 unchanged');
  await run('monitors', 'check', 'shop', '--explain');
  await run('monitors', 'history', 'shop');
  await run('ls');
  const got = await run('monitors', 'get', 'shop');
  expect(got.stdout).toMatch(/\nheaders: +X-Tenant: ••••, Accept: text\/x-2\n/);
  expect(got.stdout).toMatch(/\nbody: +••••\n/);
  for (const form of ['json', 'yaml']) {
    await run('ls', '-o', form);
    await run('monitors', 'get', 'shop', '-o', form);
    await run('monitors', 'update', 'shop', '--timeout', '7', '-o', form);
  }
  const json = JSON.parse((await run('monitors', 'get', 'shop', '-o', 'json')).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({ headers: { 'X-Tenant': '••••', Accept: 'text/x-2' }, body: '••••' });
  for (const words of [
    ['ls', '--wide'],
    ['monitors', 'get', 'shop'],
    ['test', '--explain'],
  ])
    all.push((await runInTerminal(words, session, { columns: 120 }).ended).screen);
  expect(all.filter((text) => text.includes(canary))).toEqual([]);
});

test('apply repairs a monitor whose secrets were encrypted with another secret key', async () => {
  await session.write('monitors.yaml', manifest(3));
  expect((await session.uptime(['apply', '--yes'])).exit).toBe(0);
  const { db } = daemon.store;
  const row = await db.selectFrom('monitor').selectAll().executeTakeFirstOrThrow();
  const config = JSON.parse(row.config) as { sealed: Record<string, string> };
  expect(Object.keys(config.sealed)).toEqual(['url', 'headers', 'body']);
  for (const field of Object.keys(config.sealed))
    config.sealed[field] = createSeal('a key that is gone').close('""', `${row.id} ${field}`);
  await db
    .updateTable('monitor')
    .set({ config: JSON.stringify(config) })
    .execute();
  const listed = await session.uptime(['ls']);
  expect(listed.stdout).toMatch(/^\w+ \(not checked\) +Shop /m);
  expect(listed.stderr).toMatch(
    /^warning: Shop is not checked, so its status \(\w+\) is outdated\. The monitor's URL cred/m,
  );
  expect((await session.uptime(['monitors', 'get', 'shop'])).stdout).toMatch(/\nsecretsError: +The monitor's URL cred/);
  expect((await session.uptime(['apply', '--yes'])).stdout).toContain('1 to update');
  expect((await session.uptime(['diff'])).stdout).toContain('1 unchanged');
  expect((await session.uptime(['monitors', 'get', 'shop'])).stdout).not.toContain('secretsError');
});
