import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigError, readConfig, startDaemon } from '../daemon.ts';
import { ask } from '../testing/ask.ts';
import { databases } from '../testing/databases.ts';
import type { TestDaemon } from '../testing/test-daemon.ts';
import { testProgram } from '../testing/test-program.ts';
import { run, startOn } from '../testing/run-admin.ts';

const tcp = { type: 'tcp', name: 'port', host: '127.0.0.1', port: 9 };

describe.each(databases)('uptimed admin while a daemon runs on $name', (database) => {
  let daemon: TestDaemon;
  let place: Record<string, string>;
  beforeAll(async () => {
    ({ daemon, place } = await startOn(database));
  });
  afterAll(() => daemon.close());

  const admin = (args: string[], input = '') => run(args, place, input);
  const roleOf = async (cookie: string) =>
    ((await daemon.request('GET', '/api/auth/get-session', undefined, { cookie })).body as { user: { role: string } })
      .user.role;
  const signIn = (email: string, password: string) =>
    daemon.request('POST', '/api/auth/sign-in/email', { email, password }, { apiKey: null });
  const signUp = (email: string) =>
    daemon.request(
      'POST',
      '/api/auth/sign-up/email',
      { name: 'x', email, password: 'correct horse' },
      { apiKey: null },
    );

  test('grant and revoke change the role of an account at once, even in an open session', async () => {
    const user = await daemon.another('grace');
    expect(await roleOf(user.cookie)).toBe('user');
    expect(await admin(['grant', 'Grace@example.com'])).toBe('Grace@example.com is an admin now.');
    expect(await roleOf(user.cookie)).toBe('admin');
    await admin(['revoke', user.email]);
    expect(await roleOf(user.cookie)).toBe('user');
  });

  test('list-users prints each account with its role and its number of projects', async () => {
    const { cookie } = await daemon.another('linus');
    await daemon.request('POST', '/api/projects', { name: 'another' }, { cookie });
    const lines = (await admin(['list-users'])).split('\n');
    expect(lines[0]).toMatch(/^ada@example.com +admin +1 projects +\d{4}-\d\d-\d\d +ada$/);
    expect(lines.at(-1)).toMatch(/^linus@example.com +user +2 projects/);
  });

  test('reset-password replaces the old password of an account, and ends all its sessions', async () => {
    const user = await daemon.another('forgetful');
    const printed = await admin(['reset-password', user.email]);
    const made = /this once: (\S+)$/.exec(printed)?.[1] ?? '';
    expect(await daemon.request('GET', '/api/projects', undefined, user)).toMatchObject({ status: 401 });
    expect((await signIn(user.email, 'correct horse')).status).toBe(401);
    expect((await signIn(user.email, made)).status).toBe(200);

    const quiet = await admin(['reset-password', user.email, '--password', '-'], 'battery staple\n');
    expect(quiet).not.toContain('battery');
    expect((await signIn(user.email, 'battery staple')).status).toBe(200);
    await expect(admin(['reset-password', user.email, '--password', 'short'])).rejects.toThrow(/at least 8 characters/);
  });

  test('close-signup and open-signup take effect while the daemon runs, and sign-up stays closed after a restart', async () => {
    expect((await signUp('before@example.com')).status).toBe(200);
    await admin(['close-signup']);
    await admin(['close-signup']);
    expect(await signUp('while@example.com')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    await daemon.restart();
    expect((await signUp('while@example.com')).status).toBe(403);
    expect((await signIn(daemon.email, 'correct horse')).status).toBe(200);
    await admin(['open-signup']);
    expect((await signUp('while@example.com')).status).toBe(200);
  });

  test('the daemon refuses the API key and the sessions of a disabled account at once, and pauses its monitors', async () => {
    const user = await daemon.another('abuser');
    const { id } = (await daemon.request('POST', '/api/monitors', tcp, { apiKey: user.apiKey })).body as { id: string };
    const job = await daemon.request(
      'POST',
      '/api/monitors',
      { type: 'heartbeat', name: 'job' },
      { apiKey: user.apiKey },
    );
    const { pathname } = new URL((job.body as { pingUrl: string }).pingUrl);
    const monitors = (cookie: string | undefined, apiKey: string | null = null) =>
      daemon.request('GET', cookie ? '/api/projects' : '/api/monitors', undefined, { cookie, apiKey });
    expect(await admin(['disable', user.email])).toContain(`uptimed admin enable ${user.email}`);
    expect(await monitors(undefined, user.apiKey)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await monitors(user.cookie)).status).toBe(401);
    expect(await signIn(user.email, 'correct horse')).toMatchObject({
      status: 401,
      body: { detail: 'This account is disabled. Ask the operator of this server.' },
    });
    const scheduled = () =>
      daemon.store.db
        .selectFrom('schedule')
        .innerJoin('monitor', 'monitor.seq', 'schedule.monitor')
        .select('monitor.id')
        .where('monitor.id', '=', id)
        .execute();
    expect(await scheduled()).toEqual([]);
    expect((await daemon.request('GET', pathname, undefined, { apiKey: null })).status).toBe(200);
    await admin(['disable', user.email, '--refuse-pings']);
    expect((await daemon.request('GET', pathname, undefined, { apiKey: null })).status).toBe(404);
    await daemon.restart();
    expect((await monitors(undefined, user.apiKey)).status).toBe(401);

    await admin(['enable', user.email]);
    expect((await daemon.request('GET', pathname, undefined, { apiKey: null })).status).toBe(200);
    expect((await signIn(user.email, 'correct horse')).status).toBe(200);
    const listed = (await monitors(undefined, user.apiKey)).body as { paused: boolean; status: string }[];
    expect(listed.map(({ paused }) => paused)).toEqual([false, false]);
    expect(await scheduled()).toHaveLength(1);
  });

  test('the status pages of a disabled account return 404 in every format, on the site and on their custom domain', async () => {
    const user = await daemon.another('publisher');
    const page = { name: 'Shop', slug: `shop-${database.name}` };
    const made = await daemon.request('POST', '/api/status-pages', page, { apiKey: user.apiKey });
    const { id } = made.body as { id: string };
    await daemon.store.db
      .updateTable('status_page')
      .set({ custom_domain: 'status.shop.example', domain_status: 'active', domain_check_at: null })
      .where('id', '=', id)
      .execute();
    // The daemon reads the custom domains at its start.
    await daemon.restart();
    const served = () =>
      Promise.all(
        [
          ...['', '.json', '/feed.atom', '/badge.svg', '/history'].map((form) =>
            ask(Number(new URL(daemon.url).port), 'localhost', `/status/${page.slug}${form}`),
          ),
          ...['/', '/index.json', '/feed.atom', '/badge.svg', '/history'].map((form) =>
            ask(Number(new URL(daemon.url).port), 'status.shop.example', form),
          ),
        ].map(async (asked) => (await asked).status),
      );
    const all = (status: number) => Array.from({ length: 10 }, () => status);
    expect(await served()).toEqual(all(200));
    await admin(['disable', user.email]);
    // The daemon caches a page for a second, or for up to ten seconds if the page is slow to make.
    await vi.waitFor(async () => expect(await served()).toEqual(all(404)), 15_000);
    await daemon.restart();
    expect(await served()).toEqual(all(404));
    await admin(['enable', user.email]);
    expect(await served()).toEqual(all(200));
  });

  test('delete-user with --yes deletes the account and all its projects', async () => {
    const user = await daemon.another('leaver');
    await daemon.request('POST', '/api/monitors', tcp, { apiKey: user.apiKey });
    const projects = () =>
      daemon.store.db.selectFrom('project').select('id').where('api_key', '=', user.apiKey).execute();
    expect(await admin(['delete-user', user.email])).toBe(
      `This would delete ${user.email} with 1 project(s) and 1 monitor(s). Add --yes to do it.`,
    );
    expect(await projects()).toHaveLength(1);
    expect(await admin(['delete-user', user.email, '--yes'])).toContain(`Deleted ${user.email}`);
    expect(await projects()).toEqual([]);
    expect((await signIn(user.email, 'correct horse')).status).toBe(401);
    expect((await daemon.request('GET', '/api/monitors', undefined, { apiKey: user.apiKey })).status).toBe(401);
    await expect(admin(['delete-user', user.email])).rejects.toThrow(/No account has/);
    expect((await signUp(user.email)).status).toBe(200);
  });

  test('a task for an unknown e-mail address fails, and the error names the address', async () => {
    await expect(admin(['grant', 'nobody@example.com'])).rejects.toThrow(
      'No account has the e-mail address "nobody@example.com".',
    );
  });
});

test('each task of uptimed admin has help, and a wrong command line throws ConfigError', async () => {
  const help = await run([]);
  const names = [...help.matchAll(/^ {2}uptimed admin ((?:(?:probes|regions) )?\S+)/gm)].map(([, name]) => name!);
  expect(names).toHaveLength(15);
  for (const name of names)
    expect(await run([...name.split(' '), '--help'])).toMatch(new RegExp(`^uptimed admin ${name}`));
  for (const wrong of [
    ['unknown'],
    ['grant'],
    ['grant', 'a@b.c', 'd@e.f'],
    ['list-users', 'x'],
    ['grant', '--nonsense'],
    ['grant', 'a@b.c', '--password', '-'],
    ['grant', 'a@b.c', '--yes'],
    ['delete-user', 'a@b.c', '--refuse-pings'],
  ]) {
    await expect(run(wrong)).rejects.toThrow(ConfigError);
  }
});

test('the first word of a task without its second word lists the tasks that begin with it', async () => {
  const probes = ['add <region>', 'list', 'revoke <id>'].map((rest) => `  uptimed admin probes ${rest} `);
  const listed = await run(['probes', '--help']);
  for (const start of probes) expect(listed).toContain(start);
  expect(listed.split('\n')).toHaveLength(3);
  expect(await run(['probes', 'ad', '--help'])).toBe(listed);
  expect(await run(['regions', '--help'])).toMatch(/^ {2}uptimed admin regions retire <region> {2}end the warnings/);
  const refusal = (typed: string) => `There is no task ${typed}. These tasks begin with probes:\n\n${listed}`;
  await expect(run(['probes'])).rejects.toThrow(new ConfigError(refusal('probes')));
  await expect(run(['probes', 'ad', 'eu'])).rejects.toThrow(new ConfigError(refusal('probes ad')));
  await expect(run(['prob', 'add'])).rejects.toThrow(
    new ConfigError('There is no task prob. `uptimed admin --help` lists the tasks.'),
  );
});

test('uptimed admin creates no database in a folder that no daemon has used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-admin-'));
  try {
    await expect(run(['list-users', '--data-dir', folder])).rejects.toThrow(/No daemon has used /);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each(databases)(
  'uptimed admin creates nothing in a database on $name that no daemon has used',
  async (database) => {
    const opened = await database.open();
    const { db } = opened.store;
    const { databaseUrl, dataDir } = opened.options;
    const place: Record<string, string> = databaseUrl
      ? { UPTIME_DATABASE_URL: databaseUrl }
      : { UPTIME_DATA_DIR: dataDir };
    const tables = async () => (await db.introspection.getTables()).map(({ name }) => name);
    const refused = () => expect(run(['list-users'], place)).rejects.toThrow('No daemon has used this database yet');
    try {
      if (!databaseUrl) await sql`pragma foreign_keys = off`.execute(db);
      for (const table of await tables()) {
        await sql`drop table if exists ${sql.table(table)} ${databaseUrl ? sql`cascade` : sql``}`.execute(db);
      }
      // Another program has created a table with the same name as one of uptimed's tables.
      await sql`create table "user" (id text)`.execute(db);
      await refused();
      expect(await tables()).toEqual(['user']);
    } finally {
      await opened.dispose();
    }
  },
);

test('uptimed admin works while no daemon runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-admin-'));
  const uptimed = async (...args: string[]) => {
    const child = spawn(process.execPath, [...testProgram('uptimed'), ...args], {
      env: { ...process.env, UPTIME_DATA_DIR: folder },
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await once(child, 'close')) as [number];
    return { code, output: (await output).join('') };
  };
  try {
    expect(await uptimed('admin', 'list-users')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^No daemon/),
    });
    expect(await uptimed('admin', 'nonsense')).toMatchObject({ code: 2 });
    expect(await uptimed('admin', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('close-signup'),
    });
    const daemon = await startDaemon(
      readConfig({ env: { UPTIME_DATA_DIR: folder, UPTIME_PORT: '0', UPTIME_LOG_LEVEL: 'silent' } }),
    );
    await daemon.close();
    expect(await uptimed('admin', 'list-users')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^There are no accounts/),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
