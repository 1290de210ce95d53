import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../testing/session.ts';

let [requests, failures] = [0, 0];
/**
 * The server holds back its responses for paths that begin with `/held`. Each function in this list sends one of these
 * responses. As soon as three responses wait, the server calls all functions in the list.
 */
const waitingResponses: (() => void)[] = [];
let largest = 0;
const web = createServer((request, response) => {
  requests++;
  const { url: path = '' } = request;
  response.statusCode = path === '/bad' || (path === '/flaky' && failures-- > 0) ? 500 : 200;
  const answer = () => void response.end();
  if (path.startsWith('/held')) waitingResponses.push(answer);
  else answer();
  largest = Math.max(largest, waitingResponses.length);
  if (waitingResponses.length >= 3) waitingResponses.splice(0).forEach((each) => each());
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterAll(() => void web.close());

const manifest = (paths: readonly string[]) =>
  `monitors:\n${paths.map((path, i) => `  - { key: m${i}, name: "M ${path}", type: http, url: "${url}${path}", labels: { odd: "${i % 2}" } }\n`).join('')}  - { name: Job, type: heartbeat }\n`;

test('several reporters can write in one run, and one of them may write to standard output', async () => {
  await using session = await openSession();
  await session.write('monitors.yaml', manifest(['/', '/bad']));
  const words = ['test', '--reporter', 'github', '--reporter', 'junit=r.xml', '--reporter', 'json=r.json'];
  const { exit, stdout, stderr } = await session.uptime(words);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
  expect(stdout).toBe(
    '::error file=monitors.yaml,line=3,col=5,title=M /bad failed its check::http_status: answered 500 Internal Server Error; expected 200-299\n1 of 2 passed, 1 not tested.\n',
  );
  expect(await readFile(join(session.cwd, 'r.xml'), 'utf8')).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(JSON.parse(await readFile(join(session.cwd, 'r.json'), 'utf8'))).toMatchObject({ passed: 1, failed: 1 });
});

test('--only chooses monitors by key, name or label; a word that matches no monitor leads to an error', async () => {
  await using session = await openSession();
  await session.write('monitors.yaml', manifest(['/', '/a', '/b']));
  const run = (...only: string[]) =>
    session.uptime(['test', '--reporter', 'list', '--parallel', '1', ...only.flatMap((one) => ['--only', one])]);
  expect((await run('m0', 'M /b')).stdout).toMatch(/^ok {4}M \/ .*\nok {4}M \/b .*\n2 of 2 passed\.\n$/);
  expect((await run('odd=1')).stdout).toMatch(/^ok {4}M \/a .*\n1 of 1 passed\.\n$/);
  expect(await run('m00')).toMatchObject({ exit: 2, stderr: expect.stringContaining('did you mean "m0"?') });
});

test('--fail-fast starts no check after a failure, and --parallel limits the checks that run at once', async () => {
  await using session = await openSession();
  const paths = Array.from({ length: 20 }, (_, i) => (i === 0 ? '/bad' : `/${i}`));
  await session.write('monitors.yaml', manifest(paths));
  requests = 0;
  const fast = await session.uptime(['test', '--fail-fast', '--parallel', '1']);
  expect(fast).toMatchObject({ exit: 1, stderr: expect.stringContaining('Not tested: 19 not started') });
  expect(requests).toBe(1);
  await session.write('monitors.yaml', manifest(Array.from({ length: 9 }, (_, i) => `/held${i}`)));
  expect(await session.uptime(['test', '--parallel', '3'])).toMatchObject({ exit: 0 });
  expect(largest).toBe(3);
});

test('--retries sets how often a failed check is retried', async () => {
  await using session = await openSession();
  await session.write('monitors.yaml', manifest(['/flaky']));
  failures = 1;
  expect(await session.uptime(['test', '--retries', '0'])).toMatchObject({ exit: 1 });
  failures = 1;
  expect(await session.uptime(['test', '--retries', '1'])).toMatchObject({ exit: 0 });
});

test.each([
  [['--reporter', 'xml'], 'is not one of list, dot, junit, github, json'],
  [['--reporter', 'junit='], 'is not one of'],
  [['--reporter', 'list', '--reporter', 'dot'], 'only one reporter can write to standard output'],
])('the flags %j lead to an error', async (flags, message) => {
  await using session = await openSession();
  expect(await session.uptime(['test', ...flags])).toMatchObject({ exit: 2, stderr: expect.stringContaining(message) });
});

test('if a report cannot be written, the command fails after it has written the other reports', async () => {
  await using session = await openSession();
  await session.write('monitors.yaml', manifest(['/']));
  const run = await session.uptime(['test', '--reporter', 'junit=no/such/r.xml', '--reporter', 'json=r.json']);
  expect(run).toMatchObject({ exit: 1, stderr: expect.stringContaining('no/such/r.xml cannot be written') });
  expect(await readFile(join(session.cwd, 'r.json'), 'utf8')).toContain('"passed": 1');
});
