import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Monitor, Uptime } from '@uptime/sdk';
import { createFakeServer } from '@uptime/sdk/testing';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { createContext } from '../../context.ts';
import { openAccount } from '../../testing/account.ts';
import { openSession } from '../../testing/session.ts';
import { startProgram } from '../../testing/program.ts';
import { runInTerminal } from '../../testing/terminal.ts';
import { waitUntil } from './wait-until.ts';
import { Readable, Writable } from 'node:stream';

/** Runs a wait on a fake server with a fake clock. `onWait` changes the server at each wait between two reads. */
async function waitFor(confirm: number, onWait: (server: ReturnType<typeof watched>, count: number) => void) {
  const server = watched();
  const client = new Uptime(server);
  const monitors = await Promise.all(
    ['a', 'b'].map((name) => client.monitors.create({ type: 'tcp', name, host: 'localhost', port: 1, interval: 30 })),
  );
  let [now, count, stderr] = [0, 0, ''];
  const clock = {
    monotonicMs: () => now,
    wait: async (waitMs: number) => {
      now += waitMs;
      onWait(server, ++count);
    },
  };
  const into = (write: (text: string) => void) =>
    new Writable({ decodeStrings: false, write: (text: string, _encoding, done) => (write(text), done()) });
  const context = createContext({
    env: {},
    cwd: '/',
    stdin: Readable.from([]),
    stdout: into(() => undefined),
    stderr: into((text) => (stderr += text)),
  });
  const connection = { client, signal: context.signal, io: context.io, context, settings: {} };
  server.requests.length = 0;
  const waited = await waitUntil(monitors, { until: 'up', confirm }, { endMonoMs: 60_000, clock }, connection);
  return { ...waited, now, stderr, requests: server.requests };
}

/** Creates a fake server whose monitors get a newer result at each read. */
function watched() {
  const server = createFakeServer();
  let at = 0;
  const fetchWithResults: typeof fetch = async (input, init) => {
    const response = await server.fetch(input, init);
    if (!response.ok || init?.method === 'POST') return response;
    const lastCheckedAt = new Date(++at).toISOString();
    const monitors = (await response.json()) as Monitor[];
    return Response.json(monitors.map((monitor) => ({ ...monitor, lastCheckedAt })));
  };
  return { ...server, fetch: fetchWithResults, up: (id: string) => server.setStatus(id, 'up') };
}

const both = ({ up }: ReturnType<typeof watched>) => ['mon_000002', 'mon_000003'].forEach(up);

test('a wait sends one request for each read, and ends when the status of every monitor is confirmed', async () => {
  const { outcome, waiting, requests, stderr } = await waitFor(2, (server, count) => count === 2 && both(server));
  expect(outcome).toBe('reached');
  expect(waiting.map(({ confirmed }) => confirmed)).toEqual([2, 2]);
  expect(requests).toEqual(Array.from({ length: 3 }, () => 'GET /api/monitors'));
  expect(stderr).toBe(
    `waiting: a (pending)\nwaiting: b (pending)\nwaiting: a (up, 1 of 2 results)\nwaiting: b (up, 1 of 2 results)\nreached: a (up)\nreached: b (up)\n`,
  );
});

test('a wait delays its next read as long as the server asks, and says once that the server cannot be read', async () => {
  const { outcome, now, stderr } = await waitFor(1, (server, count) => {
    if (count === 1) server.failNext({ status: 503, retryAfter: 0 });
    if (count === 3) server.failNext({ status: 429, retryAfter: 20 });
    if (count === 5) both(server);
  });
  expect(outcome).toBe('reached');
  // There are three waits of 5 s, and one wait of 20 s because the server asks for it.
  expect(now).toBe(35_000);
  expect(stderr.match(/cannot be read/g)).toHaveLength(1);
  expect(stderr).toContain('the server answers again');
});

test('a wait ends at its timeout even if the server asks for a longer wait', async () => {
  const { outcome, now } = await waitFor(1, (server) => server.failNext({ status: 429, retryAfter: 3600 }));
  expect([outcome, now]).toEqual(['timed-out', 60_000]);
});

const web = createServer((_request, response) => response.end('hello'));
let daemon: TestDaemon;
beforeAll(async () => {
  await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening));
  daemon = await createTestDaemon();
});
afterAll(async () => {
  web.close();
  await daemon.close();
});

test('a wait continues after a restart of the server, and prints its outcome as JSON', async () => {
  await using session = await openAccount(daemon, 'wait-restart');
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  await session.write('monitors.yaml', `monitors: [{ key: web, name: Web, type: http, url: "${url}", interval: 1 }]\n`);
  await session.uptime(['apply', '--yes']);
  const program = startProgram(
    ['monitors', 'wait', 'web', '--confirm', '2', '--timeout', '90s', '-o', 'json'],
    session,
  );
  await daemon.restart();
  const { exit, stdout, stderr } = await program.ended;
  expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringMatching(/The monitor is up after \d+ m?s/) });
  expect(JSON.parse(stdout)).toMatchObject({ until: 'up', outcome: 'reached', monitors: [{ key: 'web' }] });
});

test('`monitors wait` exits with 6 at the timeout and names the monitors that are not up; it exits with 7 if a monitor is deleted', async () => {
  await using session = await openSession();
  await session.write('monitors.yaml', 'monitors: [{ name: a, type: ping, host: h }, { name: b, type: heartbeat }]\n');
  await session.uptime(['apply', '--yes']);
  const late = await session.uptime(['monitors', 'wait', 'a', 'b', '--timeout', '1s']);
  expect(late.exit).toBe(6);
  expect(late.stderr).toMatch(/error: 2 of 2 monitors are not up after 1 s.*:\n {2}a \(pending\)\n {2}b \(pending\)\n/);
  let looks = 0;
  const fetchWithDelete: typeof fetch = async (input, init) => {
    const response = await session.server.fetch(input, init);
    if (++looks === 2) await session.uptime(['monitors', 'delete', 'a', '--yes']);
    return response;
  };
  const gone = await session.uptime(['monitors', 'wait', 'a', '--timeout', '90s'], { fetch: fetchWithDelete });
  expect(gone.exit).toBe(7);
  expect(gone.stderr).toContain('1 monitor was deleted meanwhile:\n  a (gone)');
});

test('on a terminal, `monitors wait` shows one moving line, and exits with 130 at Ctrl-C', async () => {
  await using session = await openAccount(daemon, 'wait-terminal');
  await session.write('monitors.yaml', 'monitors: [{ name: job, type: heartbeat }]\n');
  await session.uptime(['apply', '--yes']);
  const run = runInTerminal(['monitors', 'wait', '--all'], session);
  await run.shows('0 of 1 up; waiting for job (pending)');
  run.type('\u0003');
  expect(await run.ended).toMatchObject({ exit: 130 });
});
