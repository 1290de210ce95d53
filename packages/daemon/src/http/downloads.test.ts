import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createDownloads, type DownloadName, unameOf } from '../downloads/downloads.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { addDownloads } from './downloads.ts';
import { newServer } from './new-server.ts';

const execute = promisify(execFile);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uptime-downloads-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cli = '#!/usr/bin/env node\nconsole.log("the command line");\n';

async function serve({
  program = null,
  siteUrl = '',
  files = { 'uptime.mjs': cli },
}: {
  program?: string | null;
  siteUrl?: string;
  files?: Partial<Record<DownloadName, string>>;
} = {}) {
  const app = newServer(silentLog, { trustProxy: false });
  let url = siteUrl;
  const read = async (name: DownloadName) => (files[name] === undefined ? null : Buffer.from(files[name]));
  addDownloads(app, createDownloads(read, program), { siteUrl: () => url, publicHost: () => '', version: '1.2.3' });
  const listening = await app.listen({ host: '127.0.0.1', port: 0 });
  if (siteUrl === '') url = listening;
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return { app, url };
}

/** Runs the script as `curl … | sh` does. */
async function install(url: string, env: Record<string, string> = {}) {
  const script = await (await fetch(`${url}/install.sh`)).text();
  const run = execute('sh', ['-c', script], {
    env: { PATH: process.env['PATH']!, UPTIME_INSTALL_DIR: join(folder, 'bin'), ...env },
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test('packages and the schema have a content type, and an ETag with which a client avoids a second download', async () => {
  const { url } = await serve({ files: { 'cli.tgz': 'packed', 'monitors.schema.json': '{}' } });
  const first = await fetch(`${url}/cli.tgz`);
  expect(first.headers.get('content-type')).toBe('application/gzip');
  expect(await first.text()).toBe('packed');
  const etag = first.headers.get('etag')!;
  const again = await fetch(`${url}/cli.tgz`, { headers: { 'if-none-match': `"other", W/${etag}` } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const schema = await fetch(`${url}/schema/monitors.schema.json`);
  expect(schema.headers.get('content-type')).toMatch(/^application\/schema\+json/);
  expect((await fetch(`${url}/cli.tgz`, { method: 'HEAD' })).headers.get('content-length')).toBe('6');
});

test('a daemon without built files says how to build them', async () => {
  const { url } = await serve({ files: {} });
  for (const path of [
    '/cli.tgz',
    '/sdk.tgz',
    '/uptime.mjs',
    '/schema/monitors.schema.json',
    '/install.sh',
    '/uptime',
  ]) {
    const response = await fetch(`${url}${path}`);
    expect(response.status, path).toBe(404);
    expect((await response.json()) as { detail: string }).toMatchObject({
      detail: expect.stringContaining('npm run build'),
    });
  }
});

test('slow readers in one network do not keep other networks from downloading the executable', async () => {
  const program = join(folder, 'program');
  writeFileSync(program, Buffer.alloc(32 * 1024 * 1024));
  const { url } = await serve({ program });
  const { port } = new URL(url);
  const ask = (localAddress: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ port, path: '/uptime', localAddress }, (answer) => resolve(answer.statusCode));
      onTestFinished(() => void asked.destroy());
      asked.on('error', reject).end();
    });
  // These clients do not read their answers, so their downloads do not end.
  const statuses = [];
  for (let count = 0; count < 5; count++) statuses.push(await ask('127.0.0.2'));
  expect(statuses).toEqual([200, 200, 200, 503, 503]);
  expect(await ask('127.0.0.3')).toBe(200);
});

test('a request for the host name of another site gets no download', async () => {
  const { app } = await serve({ siteUrl: 'https://uptime.example.com' });
  const get = (host: string) => app.inject({ url: '/uptime.mjs', headers: { host } });
  expect((await get('status.shop.example')).statusCode).toBe(404);
  expect((await get('127.0.0.1')).statusCode).toBe(200);
});

test('the install script installs the command line, and says what to do next', async () => {
  const { url } = await serve();
  const done = await install(url);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const path = join(folder, 'bin/uptime');
  expect(done.stdout).toContain(`Installed uptime 1.2.3 as ${path}.`);
  expect(done.stdout).toContain(`export PATH="${join(folder, 'bin')}:$PATH"`);
  expect((await execute(path)).stdout).toBe('the command line\n');
});

test('without Node, the install script installs the executable if the client has the platform of the server', async () => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\necho the executable\n');
  chmodSync(program, 0o755);
  const { url } = await serve({ program });
  const tools = join(folder, 'tools');
  await execute('sh', [
    '-c',
    `mkdir ${tools}; for tool in sh uname mkdir mktemp rm mv chmod cut sha256sum curl; do ln -s "$(command -v $tool)" ${tools}; done`,
  ]);
  expect(await install(url, { PATH: tools })).toMatchObject({ code: 0, stderr: '' });
  expect((await execute(join(folder, 'bin/uptime'))).stdout).toBe('the executable\n');
});

test('the install script installs nothing if the checksum differs, the script is incomplete, or the download fails', async () => {
  const { app, url } = await serve();
  const path = join(folder, 'bin/uptime');
  const script = await (await fetch(`${url}/install.sh`)).text();
  const sum = createHash('sha256').update(cli).digest('hex');
  expect(script).toContain(sum);
  const run = (text: string, env = {}) =>
    execute('sh', ['-c', text], {
      env: { PATH: process.env['PATH']!, UPTIME_INSTALL_DIR: join(folder, 'bin'), ...env },
    });
  await expect(run(script.replace(sum, sum.replace(/./g, '0')))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('checksum'),
  });
  for (const length of [400, 1500, script.length - 20]) await run(script.slice(0, length)).catch(() => {});
  expect(existsSync(path)).toBe(false);
  await app.close();
  await expect(run(script)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('could not be downloaded'),
  });
  expect(existsSync(path)).toBe(false);
});

test('if the command line does not run, the install script does not install it, and shows the reason', async () => {
  const { url } = await serve({
    files: { 'uptime.mjs': '#!/usr/bin/env node\nconsole.error("uptime needs another Node");\nprocess.exit(1);\n' },
  });
  expect(await install(url)).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'uptime needs another Node\n' +
      'The command line does not run here. Install a Node that it supports from https://nodejs.org, and run this again.\n',
  });
  expect(readdirSync(join(folder, 'bin'))).toEqual([]);
});

test('the executable is served completely', async () => {
  const program = join(folder, 'program');
  const bytes = Buffer.alloc(3_000_000, 'abc');
  writeFileSync(program, bytes);
  const { url } = await serve({ program });
  const response = await fetch(`${url}/uptime`);
  expect(response.headers.get('content-length')).toBe('3000000');
  expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(program))).toBe(true);
});

test('unameOf returns the platform as `uname -sm` prints it', async () => {
  const { stdout } = await execute('uname', ['-sm']);
  expect(unameOf(process.platform, process.arch)).toBe(stdout.trim());
  expect(unameOf('win32', 'x64')).toBeNull();
});
