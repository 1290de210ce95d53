import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { commandName } from '../bin/quickstart/command-name.ts';
import { nextSteps } from '../bin/quickstart/next-steps.ts';
import { compileCache } from '../packages/daemon/src/testing/compile-cache.ts';
import { freePort } from '../packages/daemon/src/testing/targets/free-port.ts';
import { testProgram } from '../packages/daemon/src/testing/test-program.ts';
import { startProgram } from './running-program.ts';
import { boundMs } from '../packages/daemon/src/testing/bound-ms.ts';

test('the first start of the quickstart creates an account, a project and a key, and watches the example monitors', async () => {
  const { folder, quickstart } = place();
  const first = quickstart();
  const [, url] = await first.says(/runs at (http:\S+)/);
  const [, password] = await first.says(/password +(\S+) /);
  const [, apiKey] = await first.says(/API key +(uptime_\S+) /);
  await first.says(/Type next/);
  for (const name of ['This server answers', "This server's port is open"])
    await first.says(new RegExp(` up +${name}`));
  await first.says(/pending +nightly-backup {2}\(waits for its first ping\)/);

  // The account can sign in, the key can read the project, and only the settings of the command line contain the key.
  const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@uptime.example', password }),
  });
  expect(signIn.status).toBe(200);
  expect(await monitorsOf(url!, apiKey!)).toHaveLength(3);
  const settings = join(folder, 'settings', 'config.json');
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({
    current: 'quickstart',
    profiles: { quickstart: { siteUrl: url, apiKey } },
  });
  for (const secret of [settings, join(folder, 'data', 'quickstart.json')]) {
    expect(statSync(secret).mode & 0o777).toBe(0o600);
  }
  // The password was shown once, and is not stored.
  expect(readFileSync(join(folder, 'data', 'quickstart.json'), 'utf8')).not.toContain(password);
  await first.end('SIGTERM');
});

test('the first start of the quickstart succeeds even if UPTIME_SITE_URL is another address and sign-up is closed', async () => {
  const port = String(await freePort());
  const first = place({
    UPTIME_PORT: port,
    UPTIME_SITE_URL: 'http://localhost',
    UPTIME_SIGNUP: 'closed',
  }).quickstart();
  const [, apiKey] = await first.says(/API key +(uptime_\S+) /);
  await first.says(/ up +This server answers/);
  const local = `http://127.0.0.1:${port}`;
  expect(await monitorsOf(local, apiKey!)).toHaveLength(3);
  await first.end('SIGTERM');
});

test('if UPTIME_SITE_URL names a proxy, the commands that the quickstart prints still use the local address', async () => {
  const port = String(await freePort());
  const first = place({ UPTIME_PORT: port, UPTIME_SITE_URL: 'https://up.example.com' }).quickstart();
  const local = `http://127.0.0.1:${port}`;
  await first.says(/Type next[^]*\n\n/);
  await first.says(/ up +This server answers/);
  expect(first.output()).toContain(`  UPTIME_SITE_URL=${local} npx uptime monitors list\n`);
  expect(first.output()).toContain(`UPTIME_SITE_URL=${local} UPTIME_PORT=${port} npx uptime monitors apply -f`);
  const [, ping] = await first.says(/npx uptime ping (\S+)/);
  expect((await fetch(ping!)).status).toBe(200);
  await first.says(/ up +nightly-backup/);
  await first.end('SIGTERM');
});

test('if the server refuses the set-up, the quickstart prints a sentence with the reason', async () => {
  const { folder, quickstart } = place();
  const first = quickstart();
  await first.says(/Type next/);
  await first.end('SIGTERM');
  const memory = { email: 'admin@uptime.example', password: 'not the one it has' };
  writeFileSync(join(folder, 'data', 'quickstart.json'), JSON.stringify(memory));
  const second = quickstart();
  expect(await second.ended).toMatchObject({ code: 1 });
  expect(second.output()).toMatch(/^uptime runs at .*\nThe set-up could not be finished: .* is wrong\.\n$/);
});

test('a second start of the quickstart changes nothing', async () => {
  const { quickstart } = place({ UPTIME_PORT: String(await freePort()) });
  const first = quickstart();
  const [, url] = await first.says(/runs at (http:\S+)/);
  const [, apiKey] = await first.says(/API key +(uptime_\S+) /);
  await first.says(/ up +This server answers/);
  const before = await monitorsOf(url!, apiKey!);
  expect(await first.end('SIGINT')).toMatchObject({ code: 0 });

  const second = quickstart();
  await second.says(/ up +This server answers/);
  const after = await monitorsOf(url!, apiKey!);
  expect(after.map(identity)).toEqual(before.map(identity));
  expect(second.output()).not.toMatch(/password|API key|created|Plan/);
  await second.end('SIGTERM');
});

test('a second start of the quickstart completes a first start that was interrupted', async () => {
  const { folder, quickstart } = place();
  const killed = quickstart();
  await killed.says(/runs at/);
  await killed.end('SIGKILL');
  const next = quickstart();
  const [, url] = await next.says(/runs at (http:\S+)/);
  const [, apiKey] = await next.says(/API key +(uptime_\S+) /);
  await next.says(/ up +This server answers/);
  expect(await monitorsOf(url!, apiKey!)).toHaveLength(3);
  expect(JSON.parse(readFileSync(join(folder, 'data', 'quickstart.json'), 'utf8'))).toMatchObject({ apiKey });
  await next.end('SIGTERM');
});

test('if the port changes, the quickstart updates the monitors of its own server', async () => {
  const { quickstart } = place();
  const first = quickstart({ UPTIME_PORT: String(await freePort()) });
  await first.says(/ up +This server answers/);
  await first.end('SIGTERM');
  const moved = quickstart({ UPTIME_PORT: String(await freePort()) });
  await moved.says(/address of this server has changed/);
  const [, url] = await moved.says(/runs at (http:\S+)/);
  await moved.says(/Type next/);
  const { apiKey } = JSON.parse(readFileSync(join(moved.folder, 'data', 'quickstart.json'), 'utf8')) as {
    apiKey: string;
  };
  const health = (await monitorsOf(url!, apiKey)).find((monitor) => monitor['key'] === 'health');
  expect(health).toMatchObject({ url: `${url}/healthz` });
  await moved.end('SIGTERM');
});

test('Ctrl-C and SIGTERM end the quickstart cleanly within 2 s', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const program = place().quickstart();
    await program.says(/ up +This server answers/);
    const { code, withinMs } = await program.end(signal);
    expect(code).toBe(0);
    expect(withinMs).toBeLessThan(boundMs(2000));
    expect(program.output()).toMatch(/Stopped\./);
  }
});

test('a signal during the set-up ends the quickstart cleanly', async () => {
  // At these times the quickstart is hashing the password of the account, which takes about 100 ms.
  for (const ms of [20, 80]) {
    const program = place().quickstart();
    await program.says(/runs at/);
    await sleep(ms);
    const { code } = await program.end('SIGTERM');
    expect(code, program.output()).toBe(0);
    expect(program.output()).not.toMatch(/"level"|^ +at /m);
    expect(program.output()).toMatch(/\nStopped\..*\n$/);
  }
});

test('two Ctrl-C signals, as npm causes them, end the quickstart cleanly', async () => {
  const program = place().quickstart();
  await program.says(/ up +This server answers/);
  program.signal('SIGINT');
  const { code } = await program.end('SIGINT');
  expect(code).toBe(0);
  expect(program.output()).toMatch(/Stopped\./);
});

test('the quickstart prints a sentence if the port is in use', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  await new Promise((listening) => holder.once('listening', listening));
  const { port } = holder.address() as { port: number };
  const program = place().quickstart({ UPTIME_PORT: String(port) });
  expect(await program.ended).toMatchObject({ code: 1 });
  expect(program.output()).toMatch(new RegExp(`^Port ${port} .*in use.*UPTIME_PORT.*\n$`));
});

test('the quickstart prints a sentence about an invalid setting', async () => {
  const program = place().quickstart({ UPTIME_PORT: 'http' });
  expect(await program.ended).toMatchObject({ code: 2 });
  expect(program.output()).toMatch(/^UPTIME_PORT must be .*\n$/);
});

test('the quickstart does not change which profile of the command line is current', async () => {
  const { folder, quickstart } = place();
  const settings = join(folder, 'settings', 'config.json');
  const work = { siteUrl: 'https://uptime.example', apiKey: 'uptime_work' };
  mkdirSync(join(folder, 'settings'));
  writeFileSync(settings, JSON.stringify({ current: 'work', profiles: { work } }));
  const program = quickstart();
  const [, url] = await program.says(/runs at (http:\S+)/);
  await program.says(/in its profile quickstart; without --profile it still uses work\./);
  await program.says(/uptime --profile quickstart monitors list/);
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({
    current: 'work',
    profiles: { work, quickstart: { siteUrl: url } },
  });
  await program.end('SIGTERM');
});

test('the quickstart serves even if the home folder cannot be written', async () => {
  const { folder, quickstart } = place();
  // This file makes it impossible to create the settings folder.
  writeFileSync(join(folder, 'settings'), '');
  const program = quickstart();
  await program.says(
    /The key could not be stored for the uptime command: the settings file \S+ cannot be written \(ENOTDIR\)\.\n {2}Set UPTIME_API_KEY and UPTIME_SITE_URL=\S+ instead/,
  );
  await program.says(/ up +This server answers/);
  expect(await program.end('SIGTERM')).toMatchObject({ code: 0 });
});

test('with the single executable, the first step that the quickstart prints creates a link named uptime', () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptime quickstart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const executable = join(folder, 'uptimed');
  writeFileSync(executable, '');
  const url = 'http://127.0.0.1:3310';
  const steps = nextSteps(
    {
      apiKey: '',
      manifest: 'monitors.yaml',
      heartbeat: { key: 'job', name: 'job', pingUrl: '' },
      ...commandName(executable, folder),
    },
    { url, siteUrl: url },
    (_, text) => text,
  );
  expect(steps.split('\n').slice(1)).toEqual([
    '  ln -s uptimed uptime',
    '  ./uptime monitors list',
    '  ./uptime ping job',
    `  edit monitors.yaml, then UPTIME_SITE_URL=${url} UPTIME_PORT=3310 ./uptime monitors apply -f monitors.yaml`,
  ]);

  // The quickstart starts in another folder. If a file in that folder is named `uptime`, the link gets another name.
  const work = join(folder, 'work');
  mkdirSync(work);
  expect(commandName(executable, work)).toEqual({ uptime: './uptime', link: `ln -s '${executable}' uptime` });
  writeFileSync(join(work, 'uptime'), '');
  expect(commandName(executable, work)).toEqual({ uptime: './uptimectl', link: `ln -s '${executable}' uptimectl` });

  // If a link with one of the two names exists, the printed steps use that link, and do not create another.
  symlinkSync(executable, join(folder, 'uptimectl'));
  expect(commandName(executable, work)).toEqual({ uptime: `'${join(folder, 'uptimectl')}'`, link: undefined });
  linkSync(executable, join(folder, 'uptime'));
  expect(commandName(executable, folder)).toEqual({ uptime: './uptime', link: undefined });
});

/** Returns a folder, and a function that starts the quickstart in it. */
function place(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'uptime-quickstart-'));
  const programs: { kill(): Promise<void> }[] = [];
  onTestFinished(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    rmSync(folder, { recursive: true, force: true });
  });
  const quickstart = (more: Record<string, string> = {}) => {
    const program = startProgram(process.execPath, [...testProgram('main'), 'quickstart'], {
      cwd: folder,
      env: {
        PATH: '',
        ...compileCache(),
        UPTIME_PORT: '0',
        UPTIME_DATA_DIR: join(folder, 'data'),
        UPTIME_CONFIG_DIR: join(folder, 'settings'),
        ...env,
        ...more,
      },
    });
    programs.push(program);
    return { ...program, folder };
  };
  return { folder, quickstart };
}

async function monitorsOf(url: string, apiKey: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${url}/api/monitors`, { headers: { 'x-api-key': apiKey } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>[];
}

const identity = ({ id, createdAt, updatedAt, pingUrl }: Record<string, unknown>) => ({
  id,
  createdAt,
  updatedAt,
  pingUrl,
});
