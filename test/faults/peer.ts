import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgram } from '../../packages/daemon/src/testing/test-program.ts';

/** Another daemon on a PostgreSQL, in its own process. The data folder stays when the process ends. */
export interface Peer extends AsyncDisposable {
  signal(signal: NodeJS.Signals): void;
  /** Sends the daemon a signal, and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null }>;
  /** Starts the daemon again, and waits until it serves. */
  start(): Promise<void>;
}

/** Starts a daemon, and waits until it serves. `env` has the settings, as environment variables. */
export async function startPeer(env: Record<string, string>): Promise<Peer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-peer-'));
  let child: ChildProcess;
  const start = async () => {
    child = spawn(process.execPath, [...testProgram('uptimed'), 'serve'], {
      env: { ...process.env, UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilServing(child);
  };
  const peer: Peer = {
    start,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      }
      return { code: child.exitCode };
    },
    async [Symbol.asyncDispose]() {
      await peer.end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await peer[Symbol.asyncDispose]();
    throw error;
  }
  return peer;
}

/** Throws with the log if the daemon ends before it serves. */
async function untilServing(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  let log = '';
  const serving = new Promise<boolean>((resolve) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('"message":"serving"')) resolve(true);
      log = log.slice(-10_000);
    });
  });
  if (!(await Promise.race([serving, ended.then(() => false)])))
    throw new Error(`The daemon ended before it served:\n${log}`);
}
