import { Uptime, type Incident } from '@uptime/sdk';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { type FaultProxy, openFaultProxy } from '../../testing/fault-proxy.ts';
import { startProgram } from '../../testing/program.ts';
import { openSession, type Session, type SessionServer } from '../../testing/session.ts';
import { openWindow } from './open-window.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

/** Opens a session for a project with a monitor `shop`. If a proxy is given, requests go through it. */
async function open(name: string, proxy?: FaultProxy): Promise<Session<SessionServer>> {
  const { apiKey } = await daemon.another(name);
  const session = await openSession({ siteUrl: proxy?.url ?? daemon.url, apiKey, fetch });
  const words = ['monitors', 'create', '--name', 'Shop', '--key', 'shop', '--type', 'heartbeat', '-q'];
  expect(await session.uptime(words)).toMatchObject({ exit: 0 });
  return session;
}

const within = (max: string, job: string) => [
  'maintenance',
  'run',
  '--monitors',
  'shop',
  '--max',
  max,
  '--',
  'sh',
  '-c',
  job,
];
/** A shell command that prints `ready`, waits until the test has written the file `go`, and exits with 9. */
const waiting = 'echo ready; while [ ! -e go ]; do sleep 0.05; done; exit 9';

/** Reads every maintenance window of the session's project from the daemon, without the proxy. */
async function windows({ server }: Session<SessionServer>): Promise<Incident[]> {
  const client = new Uptime({ apiKey: server.apiKey, siteUrl: daemon.url });
  return client.incidents.list();
}

test('the window of `maintenance run` is in force only while the command runs', async () => {
  await using session = await open('run-holds');
  const running = startProgram(within('15m', waiting), session);
  await running.printed('ready');
  const [first, ...others] = await windows(session);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ maintenance: true, resolvedAt: null });
  expect(Date.parse(first!.scheduledStart!)).toBeLessThanOrEqual(Date.parse(first!.createdAt));
  expect(Date.parse(first!.scheduledEnd!) - Date.parse(first!.scheduledStart!)).toBe(900_000);
  await session.write('go', '');
  expect(await running.ended).toEqual({ exit: 9, stdout: 'ready\n', stderr: '' });
  expect(await windows(session)).toMatchObject([{ id: first!.id, status: 'resolved' }]);
});

test('`maintenance run` passes a signal on to the command, and closes the window after the command has ended', async () => {
  await using session = await open('run-signal');
  const handled = "trap 'echo signalled; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
  const running = startProgram(within('15m', handled), session);
  await running.printed('ready');
  running.kill('SIGTERM');
  expect(await running.ended).toEqual({ exit: 7, stdout: 'ready\nsignalled\n', stderr: '' });
  const killed = startProgram(within('15m', 'echo ready; exec sleep 60'), session);
  await killed.printed('ready');
  killed.kill('SIGINT');
  expect(await killed.ended).toMatchObject({ exit: 130 });
  expect(await windows(session)).toMatchObject([{ status: 'resolved' }, { status: 'resolved' }]);
});

test('if uptime itself is killed, the maintenance window ends at its planned end', async () => {
  await using session = await open('run-killed');
  const running = startProgram(within('1s', waiting), session);
  await running.printed('ready');
  running.kill('SIGKILL');
  await vi.waitFor(async () => expect(await windows(session)).toMatchObject([{ status: 'resolved' }]), {
    timeout: 20_000,
  });
  const [window] = await windows(session);
  expect(Date.parse(window!.resolvedAt!)).toBeGreaterThanOrEqual(Date.parse(window!.scheduledEnd!));
  await session.write('go', '');
  expect(await running.ended).toMatchObject({ exit: null });
});

test('if a command runs longer than its maintenance window, a message says that the window has ended', async () => {
  await using session = await open('run-outlives');
  const running = startProgram(within('1s', waiting), session);
  await running.printed('ready');
  await vi.waitFor(async () => expect(await windows(session)).toMatchObject([{ status: 'resolved' }]), {
    timeout: 20_000,
  });
  const [{ scheduledEnd } = { scheduledEnd: '' }] = await windows(session);
  await session.write('go', '');
  const stderr = `uptime: the maintenance window ended at ${scheduledEnd}, before the command did\n`;
  expect(await running.ended).toEqual({ exit: 9, stdout: 'ready\n', stderr });
});

test('if the server fails, `maintenance run` retries until the window is closed', async () => {
  await using proxy = await openFaultProxy(daemon.url);
  await using session = await open('run-flaky', proxy);
  const running = startProgram(within('15m', waiting), session);
  await running.printed('ready');
  proxy.break('cut-after', 1, false);
  await session.write('go', '');
  const { exit, stderr } = await running.ended;
  expect(exit).toBe(9);
  expect(stderr).toMatch(/^uptime: the end of the maintenance window is not recorded yet \(.+\); retrying in .+\n$/);
  expect(await windows(session)).toMatchObject([{ status: 'resolved' }]);
});

test('if a maintenance window cannot be closed, a message says when it ends, and the exit code is the code of the command', async () => {
  await using proxy = await openFaultProxy(daemon.url);
  await using session = await open('run-unclosed', proxy);
  // The window is so long that even on a busy machine the command ends before the window.
  const running = startProgram(within('12s', waiting), session);
  await running.printed('ready');
  const [window] = await windows(session);
  proxy.break('cut-before', 1, true);
  await session.write('go', '');
  const { exit, stderr } = await running.ended;
  expect(exit).toBe(9);
  expect(stderr).toContain(`uptime: the maintenance window was not closed; it lasts until ${window!.scheduledEnd}: `);
});

test('if a signal arrives while `maintenance run` opens its window, the window is closed and the command does not run', async () => {
  await using session = await open('run-interrupted');
  const stop = new AbortController();
  const interrupted: typeof fetch = (url, init) => {
    if (init?.method === 'POST') stop.abort();
    return fetch(url, init);
  };
  const ended = await session.uptime(within('15m', 'echo ran'), { fetch: interrupted, signal: stop.signal });
  const stderr = 'uptime: interrupted before the command started; nothing was run\n';
  expect(ended).toEqual({ exit: 130, stdout: '', stderr });
  expect(await windows(session)).toMatchObject([{ status: 'resolved' }]);
});

test('if `maintenance run` cannot open a window, it runs the command only with --anyway', async () => {
  await using proxy = await openFaultProxy(daemon.url);
  await using session = await open('run-refused', proxy);
  proxy.break('cut-before', 1, true);
  const words = within('15m', 'echo ran; exit 9');
  const refused = await session.uptime(words);
  expect(refused).toMatchObject({ exit: 1, stdout: '' });
  expect(refused.stderr).toContain('error: no maintenance window was opened, so nothing was run: No answer from ');
  expect(refused.stderr).toContain('add --anyway to run the command without a window');
  const anyway = await session.uptime(words.toSpliced(2, 0, '--anyway'));
  expect(anyway).toMatchObject({ exit: 9, stdout: 'ran\n' });
  expect(anyway.stderr).toContain('uptime: no maintenance window was opened: No answer from ');
  expect(await windows(session)).toEqual([]);
});

test.each([
  ['is ahead', 3_600_000],
  ['is a little ahead', 50],
  ['is behind', -3_600_000],
])(
  'a maintenance window starts at once and has the right length even if the clock of this machine %s',
  async (_, skew) => {
    const { apiKey } = await daemon.another(`skew-${skew}`);
    const client = new Uptime({ apiKey, siteUrl: daemon.url });
    const window = await openWindow(client, { title: 'A deploy' }, 60_000, Date.now() + skew);
    const [start, end] = [window.scheduledStart, window.scheduledEnd].map((at) => Date.parse(at ?? ''));
    // The daemon's clock may be a few milliseconds ahead of the machine's.
    expect(Math.abs(Date.now() - start!)).toBeLessThan(30_000);
    expect(end! - start!).toBe(60_000);
    expect(window).toMatchObject({ status: 'identified', resolvedAt: null });
  },
);
