import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileCache } from './testing/compile-cache.ts';
import { testProgram } from './testing/test-program.ts';
import { boundMs } from './testing/bound-ms.ts';

let folder: string;
let children: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptimed-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Starts uptimed as a separate process, with only the given environment. */
function uptimed(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...testProgram('uptimed'), ...args], {
    cwd: folder,
    env: { ...compileCache(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

async function finished(child: ChildProcess) {
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, stdout, stderr };
}

/** Waits for the log line with the address at which the daemon serves, and returns that address. */
async function serving(child: ChildProcess): Promise<string> {
  let log = '';
  for await (const chunk of child.stderr!.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    log += chunk.toString();
    const url = /"message":"serving","url":"([^"]+)"/.exec(log)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The daemon ended before it served: ${log}`);
}

const serve = (...args: string[]) => uptimed(['serve', '--port', '0', '--data-dir', 'data', ...args]);

test('a command and the daemon continue if the reader of their output closes the pipe', async () => {
  const help = uptimed(['help']);
  help.stdout.destroy();
  expect(await once(help, 'exit')).toEqual([0, null]);
  const child = serve();
  const url = await serving(child);
  child.stderr.destroy();
  // When the daemon stops, it writes to the log, whose pipe is closed.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'uptimed serves until %s, and exits cleanly within two seconds',
  async (signal) => {
    const child = serve();
    const url = await serving(child);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const startMonoMs = performance.now();
    child.kill(signal);
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(performance.now() - startMonoMs).toBeLessThan(boundMs(2000));
  },
);

test('uptimed refuses to start if it may open too few files, and says how to raise the limit', async () => {
  const command = `ulimit -n 100; exec "$@"`;
  const child = spawn(
    '/bin/sh',
    ['-c', command, 'sh', process.execPath, ...testProgram('uptimed'), 'serve', '--port', '0', '--data-dir', 'data'],
    { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  children.push(child);
  expect(await finished(child)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'uptimed needs at least 128 open files, but this process may have only 100. Raise the limit: `ulimit -n 65536` in the shell, `LimitNOFILE=65536` in a systemd unit, `--ulimit nofile=65536:65536` with Docker.\n',
  });
});

test('uptimed logs a warning if other users may read the secrets in the config file', async () => {
  await writeFile(join(folder, 'uptimed.yaml'), `secretKey: ${'x'.repeat(40)}\n`, { mode: 0o644 });
  const child = serve('--config', 'uptimed.yaml');
  const [warning] = (await once(child.stderr, 'data')) as [Buffer];
  expect(warning.toString()).toContain('`chmod 600 uptimed.yaml`');
});

test('a stop of uptimed does not wait for name servers that do not answer', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const nameserver = `127.0.0.1:${silent.address().port}`;
  try {
    const child = uptimed(['serve', '--port', '0', '--data-dir', 'data'], { UPTIME_DNS_SERVERS: nameserver });
    const url = await serving(child);
    const json = { 'content-type': 'application/json', origin: url };
    const account = { name: 'a', email: 'a@b.example', password: 'long enough 1' };
    const signedUp = await fetch(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(account),
    });
    const headers = { ...json, cookie: signedUp.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const body = JSON.stringify({ name: 'p' });
    const project = (await (await fetch(`${url}/api/projects`, { method: 'POST', headers, body })).json()) as {
      id: string;
    };
    const asked = once(silent, 'message');
    const monitors = [
      { type: 'tcp', name: 't', host: 'silent.example', port: 1 },
      { type: 'dns', name: 'd', hostname: 'silent.example', nameserver },
    ];
    for (const monitor of monitors) {
      const made = await fetch(`${url}/api/monitors`, {
        method: 'POST',
        headers: { ...headers, 'x-project-id': project.id },
        body: JSON.stringify(monitor),
      });
      expect(made.status).toBe(201);
    }
    await asked;
    const startMonoMs = performance.now();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(performance.now() - startMonoMs).toBeLessThan(boundMs(1500));
  } finally {
    silent.close();
  }
});

/** Makes a monitor of the daemon at `url` go down, and sends its alert to the address `to`. */
async function alarm(url: string, to: string): Promise<void> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const person = { name: 'ada', email: 'ada@example.com', password: 'correct horse' };
  const signedUp = await post('/api/auth/sign-up/email', person);
  const cookie = signedUp.headers.getSetCookie()[0]!.split(';')[0]!;
  const { apiKey } = (await (await post('/api/projects', { name: 'p' }, { cookie })).json()) as { apiKey: string };
  const create = async (path: string, body: object) =>
    ((await (await post(path, body, { 'x-api-key': apiKey })).json()) as { id: string }).id;
  const channel = await create('/api/notification-channels', { type: 'webhook', name: 'c', config: { url: to } });
  const monitor = await create('/api/monitors', { type: 'tcp', name: 'm', host: '127.0.0.1', port: 1, interval: 1 });
  await create('/api/alert-rules', { name: 'r', monitorIds: [monitor], channelIds: [channel] });
}

test('a second SIGTERM aborts a message whose receiver does not answer', async () => {
  const receiver = createHttpServer();
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const arrived = once(receiver, 'request');
  const child = serve();
  const { port } = receiver.address() as AddressInfo;
  await alarm(await serving(child), `http://127.0.0.1:${port}/`);
  await arrived;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const early = await Promise.race([exited.then(() => 'ended'), delay(1000, 'waits')]);
  child.kill('SIGTERM');
  const interruptedMonoMs = performance.now();
  await exited;
  receiver.closeAllConnections();
  receiver.close();
  expect(early).toBe('waits');
  expect(child.exitCode).toBe(0);
  expect(performance.now() - interruptedMonoMs).toBeLessThan(boundMs(2000));
});

test('no second daemon starts on a data folder in use; after the first daemon was killed, a new daemon starts', async () => {
  const first = serve();
  await serving(first);
  const second = await finished(serve());
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toMatch(/^Another uptimed is using data: .*\n$/);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(await serving(serve())).toMatch(/^http:/);
});

test('the error for a port in use names the port and the setting that changes it', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  const { code, stderr } = await finished(uptimed(['serve', '--port', String(port)]));
  holder.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^Port ${port} on 127.0.0.1 is in use: .*UPTIME_PORT.*\\n$`));
});

test('if the listen address is not of this machine, or the data folder cannot be created, the error names the address or the folder', async () => {
  const host = await finished(serve('--host', '192.0.2.1'));
  expect(host).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^192\.0\.2\.1 is not an address .*UPTIME_HOST.*\n$/) as string,
  });
  await writeFile(join(folder, 'file'), '');
  const { code, stderr } = await finished(uptimed(['serve', '--port', '0', '--data-dir', 'file/data']));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[^\n]*file\/data[^\n]*\n$/);
});

test('uptimed reads settings from a config file, and environment variables override them', async () => {
  await writeFile(join(folder, 'uptimed.yaml'), 'port: 0\nUPTIME_DATA_DIR: data\nhost: 192.0.2.1\n');
  const child = uptimed(['serve', '--config', 'uptimed.yaml'], { UPTIME_HOST: '127.0.0.1' });
  expect(await serving(child)).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test.each([
  [['serve', '--port', 'x'], /^--port must be a whole number from 0 to 65535\.\n$/],
  [['serve', '--prot', '1'], /--prot/],
  [['serve', '--config', 'missing.yaml'], /missing\.yaml can't be read/],
  [['sevre'], /no command sevre/],
])('uptimed refuses the command line %j with an error message and exit code 2', async (args, sentence) => {
  const { code, stdout, stderr } = await finished(uptimed(args));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toMatch(/ {4}at /);
});

test('uptimed serve --help lists the settings, and uptimed version prints the version', async () => {
  const { code, stdout } = await finished(uptimed(['serve', '--help']));
  expect(code).toBe(0);
  expect(stdout).toContain('UPTIME_RAW_RETENTION_DAYS');
  expect((await finished(uptimed(['version']))).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
