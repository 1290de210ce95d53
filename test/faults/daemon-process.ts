import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import type { MonitorInput } from '../../packages/sdk/src/types.ts';
import { sqliteFile } from '../../packages/daemon/src/store/sqlite.ts';
import { testProgram } from '../../packages/daemon/src/testing/test-program.ts';
import type { Fault } from './faulty-daemon.ts';

// better-sqlite3 is a dependency of only the daemon, so it is resolved from the daemon's package.
const Database = createRequire(new URL('../../packages/daemon/package.json', import.meta.url))(
  'better-sqlite3',
) as typeof BetterSqlite3;

export interface DaemonProcessOptions {
  /** The settings of the daemon, as environment variables. */
  env?: Record<string, string>;
  /**
   * `uptimed` is the program that people run. `faulty` is `faulty-daemon.ts`, which causes faults in itself on request.
   */
  program?: 'uptimed' | 'faulty';
  /** How many files and sockets the daemon may have open. Default: as many as this process. */
  openFiles?: number;
}

export interface MadeMonitor {
  id: string;
  /** Present only if the monitor is a heartbeat. */
  pingUrl: string;
}

/** Input that creates a monitor. It needs no name. */
export type NewMonitor = MonitorInput extends infer One
  ? One extends { name: string }
    ? Omit<One, 'name'> & { name?: string }
    : never
  : never;

/**
 * A daemon in its own process. The data folder stays when the process ends. `await using` ends the process and removes
 * the folder.
 */
export interface DaemonProcess extends AsyncDisposable {
  /** The address at which the daemon listens. It changes with each start. */
  url(): string;
  dataDir: string;
  /** Sends a request with the project's key. Throws if there is no answer. */
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Creates a monitor. If the daemon refuses the monitor, throws an error that contains the answer. */
  monitor(input: NewMonitor): Promise<MadeMonitor>;
  /** Creates another project. Returns a function that creates monitors in it. */
  anotherProject(name: string): Promise<DaemonProcess['monitor']>;
  /** Asks the program `faulty` to cause a fault, and waits until the program has caused it. */
  causeFault(fault: Fault): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  pid(): number;
  /** Whether the process that was started last has ended. */
  exited(): boolean;
  /** The exit code of the process, or the signal that ended it. Null while it runs. */
  exitedWith(): number | NodeJS.Signals | null;
  /** Sends the daemon a signal, and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; withinMs: number }>;
  /** Starts the daemon again, on the same data. */
  start(): Promise<void>;
  /** Opens the database, which the daemon may be using. */
  open(options?: { readonly: boolean }): BetterSqlite3.Database;
  /** The daemon's log since its last start. */
  log(): string;
}

/** Starts a daemon with an account, a project and a key. */
export async function startDaemonProcess({
  env = {},
  program = 'uptimed',
  openFiles,
}: DaemonProcessOptions = {}): Promise<DaemonProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-faults-'));
  let child: ChildProcess;
  let url = '';
  let log = '';
  let apiKey = '';
  let session = '';

  const start = async () => {
    log = '';
    child = spawnDaemon({ env: { UPTIME_DATA_DIR: dataDir, ...env }, program, openFiles });
    url = await untilServing(child, (text) => (log += text));
  };

  const end = (signal: NodeJS.Signals) => endProcess(child, signal);
  const send: Send = (method, path, body, headers) => sendTo(url + path, { method, body, headers });

  const makeProject = async (name: string): Promise<string> => {
    const response = await send('POST', '/api/projects', { name }, { cookie: session });
    return (response.body as { apiKey: string }).apiKey;
  };
  const monitorIn = (key: () => string) => (input: NewMonitor) => createMonitor(send, key(), input);

  const daemon: DaemonProcess = {
    url: () => url,
    dataDir,
    request: (method, path, body) => send(method, path, body, { 'x-api-key': apiKey }),
    monitor: monitorIn(() => apiKey),
    async anotherProject(name) {
      const key = await makeProject(name);
      return monitorIn(() => key);
    },
    causeFault: (fault) => causeFaultIn(child, fault, log),
    signal: (signal) => void child.kill(signal),
    pid: () => child.pid!,
    exited: () => child.exitCode !== null || child.signalCode !== null,
    exitedWith: () => child.exitCode ?? child.signalCode,
    end,
    start,
    open: (options = { readonly: true }) => new Database(sqliteFile(dataDir), options),
    log: () => log,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await start();
    session = await signUp(send);
    apiKey = await makeProject('faults');
  } catch (error) {
    await daemon[Symbol.asyncDispose]();
    throw error;
  }
  return daemon;
}

function spawnDaemon({ env, program = 'uptimed', openFiles }: DaemonProcessOptions): ChildProcess {
  const command = [process.execPath, ...testProgram(program), 'serve'];
  const limited =
    openFiles === undefined ? command : ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', ...command];
  return spawn(limited[0]!, limited.slice(1), {
    env: { ...process.env, UPTIME_PORT: '0', UPTIME_RATE_LIMIT: 'off', ...env },
    stdio: program === 'faulty' ? ['ignore', 'ignore', 'pipe', 'ipc'] : ['ignore', 'ignore', 'pipe'],
  });
}

/** Waits until a daemon serves, and returns its address. `write` appends to the log and returns the whole log. */
function untilServing(child: ChildProcess, write: (text: string) => string): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log = write(text);
      const line = log.split('\n').find((one) => one.includes('"message":"serving"'));
      if (line?.endsWith('}')) resolve((JSON.parse(line) as { url: string }).url);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`The daemon ended (${code ?? signal}) before it served:\n${log}`)),
    );
  });
}

async function causeFaultIn(child: ChildProcess, fault: Fault, log: string): Promise<void> {
  if (!child.connected) throw new Error(`The daemon ended (${child.exitCode ?? child.signalCode}):\n${log}`);
  const happened = once(child, 'message');
  child.send(fault);
  await happened;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals) {
  const begun = performance.now();
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return { code: child.exitCode, withinMs: performance.now() - begun };
}

type Send = (method: string, path: string, body: unknown, headers: Record<string, string>) => ReturnType<typeof sendTo>;

async function sendTo(
  url: string,
  { method, body, headers }: { method: string; body: unknown; headers: Record<string, string> },
) {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** Creates an account, and returns the cookie of its session. */
async function signUp(send: Send): Promise<string> {
  const person = { name: 'ada', email: 'ada@example.com', password: 'correct horse' };
  const signedUp = await send('POST', '/api/auth/sign-up/email', person, {});
  const cookies = signedUp.headers.getSetCookie().map((one) => one.split(';')[0]);
  return cookies.join('; ');
}

async function createMonitor(send: Send, key: string, input: NewMonitor): Promise<MadeMonitor> {
  const body = { name: 'a monitor', ...input };
  const { status, body: made } = await send('POST', '/api/monitors', body, { 'x-api-key': key });
  if (status !== 201) throw new Error(`No monitor was made: ${status} ${JSON.stringify(made)}`);
  return made as MadeMonitor;
}
