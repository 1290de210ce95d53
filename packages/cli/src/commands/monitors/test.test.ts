import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../testing/session.ts';

const web = createServer((_request, response) => response.end('hello'));
let address: string;
let closedPort: number;

beforeAll(async () => {
  address = `http://127.0.0.1:${await listen(web)}`;
  const gone = createTcpServer();
  closedPort = await listen(gone);
  await new Promise((closed) => gone.close(closed));
});
afterAll(() => void web.close());

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

test('`monitors test` checks every active monitor from this machine, without a server', async () => {
  await using session = await openSession();
  await session.write(
    'm.yaml',
    [
      'monitors:',
      `  - { name: web, type: http, url: "${address}", bodyContains: hello }`,
      `  - { name: port, type: tcp, host: 127.0.0.1, port: ${new URL(address).port} }`,
      '  - { name: off, type: tcp, host: 127.0.0.1, port: 1, paused: true }',
      '  - { name: job, type: heartbeat }',
      '',
    ].join('\n'),
  );
  const ended = await session.uptime(['monitors', 'test', '-f', 'm.yaml', '--timing', '--explain']);
  expect(ended).toMatchObject({ exit: 0 });
  expect(ended.stdout).toMatch(
    /^RESULT +NAME +TYPE +TIME +DNS +CONNECT +TLS +FIRST BYTE +DOWNLOAD +WHY\nup +web +http/,
  );
  expect(ended.stdout).toMatch(/\nweb\n +\d+ ms {2}\S/);
  expect(ended.stderr).toContain('2 of 2 passed.');
  expect(ended.stderr).toContain('1 of type heartbeat');
  expect(session.server.requests).toEqual([]);
});

test('if a check fails, `monitors test` exits with 1 and shows the reason', async () => {
  await using session = await openSession();
  await session.write(
    'm.yaml',
    `monitors:\n  - { name: web, type: http, url: "${address}", bodyContains: absent }\n  - { name: db, type: tcp, host: 127.0.0.1, port: ${closedPort} }\n`,
  );
  const { exit, stdout } = await session.uptime(['monitors', 'test', '-f', 'm.yaml', '--json']);
  expect(exit).toBe(1);
  const outcomes = JSON.parse(stdout) as { name: string; verdict: string; error: { code: string } }[];
  expect(outcomes.map(({ name, verdict, error }) => [name, verdict, error.code])).toEqual([
    ['web', 'down', 'http_body_mismatch'],
    ['db', 'down', 'connect_refused'],
  ]);
});

test('the trace of a check hides the values of environment variables', async () => {
  await using session = await openSession();
  session.env['WEB'] = `${address}/hush`;
  await session.write('m.yaml', 'monitors:\n  - { name: web, type: http, url: "${WEB}" }\n');
  for (const format of ['json', 'table']) {
    const { exit, stdout, stderr } = await session.uptime([
      'monitors',
      'test',
      '-f',
      'm.yaml',
      '--explain',
      '-o',
      format,
    ]);
    expect(exit).toBe(0);
    expect(stdout).toContain('GET (from the environment)');
    expect(stdout + stderr).not.toContain('hush');
  }
});
