import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDaemon, type TestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { openAccount } from '../../testing/account.ts';
import { startProgram } from '../../testing/program.ts';
import type { Session, SessionServer } from '../../testing/session.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await createTestDaemon();
});
afterAll(() => daemon.close());

async function openWithHeartbeat(name: string): Promise<{ session: Session<SessionServer>; token: string }> {
  const session = await openAccount(daemon, name);
  const words = ['monitors', 'create', '--name', 'Job', '--key', 'job', '--type', 'heartbeat', '--json'];
  const { stdout } = await session.uptime(words);
  const { pingUrl } = JSON.parse(stdout) as { pingUrl: string };
  return { session, token: pingUrl.split('/').at(-1)! };
}

const recorded = async (session: Session<SessionServer>) => {
  const { stdout } = await session.uptime(['monitors', 'history', 'job', '--of', 'changes', '--json']);
  return (JSON.parse(stdout) as { to: string }[]).map(({ to }) => to);
};

test('exec reports the exit code of the job to the server, and exits with the same code', async () => {
  const { session, token } = await openWithHeartbeat('exec-code');
  await using _ = session;
  const good = await startProgram(['exec', token, '--', 'sh', '-c', 'echo out; echo err >&2'], session).ended;
  expect(good).toEqual({ exit: 0, stdout: 'out\n', stderr: 'err\n' });
  expect(await recorded(session)).toEqual(['up']);
  const bad = await startProgram(['exec', 'job', '--', 'sh', '-c', 'exit 23'], session).ended;
  expect(bad).toEqual({ exit: 23, stdout: '', stderr: '' });
  expect(await recorded(session)).toEqual(['up', 'down']);
});

test('exec passes a signal on to the job, and the job decides how to handle it', async () => {
  const { session, token } = await openWithHeartbeat('exec-signal');
  await using _ = session;
  const handled = "trap 'echo signalled; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
  const running = startProgram(['exec', token, '--', 'sh', '-c', handled], session);
  await running.printed('ready');
  running.kill('SIGTERM');
  expect(await running.ended).toEqual({ exit: 7, stdout: 'ready\nsignalled\n', stderr: '' });

  const killed = startProgram(['exec', token, '--', 'sh', '-c', 'echo ready; exec sleep 60'], session);
  await killed.printed('ready');
  killed.kill('SIGINT');
  expect(await killed.ended).toMatchObject({ exit: 130 });
  expect((await recorded(session)).at(-1)).toBe('down');
});

test('if a ping is not recorded, exec prints why and still exits with the code of the job', async () => {
  const { session } = await openWithHeartbeat('exec-offline');
  await using _ = session;
  const nowhere = 'http://127.0.0.1:1/ping/abcdefghijklmnopqrst';
  const { exit, stdout, stderr } = await startProgram(
    ['exec', '--retry-for', '0', nowhere, '--', 'sh', '-c', 'echo done; exit 3'],
    session,
  ).ended;
  expect({ exit, stdout }).toEqual({ exit: 3, stdout: 'done\n' });
  expect(stderr).toContain("uptime: the job's end was not reported: No answer from http://127.0.0.1:1");
});

test('if a job cannot be run, exec exits with the code that a shell would use, and reports a failure to the server', async () => {
  const { session, token } = await openWithHeartbeat('exec-missing');
  await using _ = session;
  const missing = await session.uptime(['exec', token, '--', 'no-such-program-anywhere']);
  expect(missing).toMatchObject({ exit: 127, stderr: 'uptime: no-such-program-anywhere: no such program\n' });
  await session.write('plain.txt', 'no program');
  expect(await session.uptime(['exec', token, '--', `${session.cwd}/plain.txt`])).toMatchObject({ exit: 126 });
  expect(await recorded(session)).toEqual(['down']);
});

test('exec passes its standard input on to the job', async () => {
  const { session, token } = await openWithHeartbeat('exec-input');
  await using _ = session;
  const { stdout } = await session.uptime(['exec', token, '--', 'tr', 'a-z', 'A-Z'], { stdin: 'hello' });
  expect(stdout).toBe('HELLO');
});
