import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import { type Daemon, type Overrides, startDaemon } from '../daemon.ts';
import type { Clock, Logger } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { checkAnswer } from './answer-check.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { noDownloads } from './never-called.ts';
import type { TestDatabaseKind } from './databases.ts';
import { copyMigratedSqlite } from './migrated-sqlite.ts';

export interface TestDaemonOptions extends Overrides {
  /** Settings, by their environment variables. */
  env?: Record<string, string>;
  /** Default: SQLite in a folder of its own. */
  database?: TestDatabaseKind;
  /** The machine's clock. Each start counts from it again. */
  machine?: Clock;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or text if it is not JSON; undefined without a body. */
  body: unknown;
}

export interface RequestOptions {
  /** Null sends no API key; a string replaces it. */
  apiKey?: string | null;
  /** Sends this session instead of the key. */
  cookie?: string;
  headers?: Record<string, string>;
}

/** A person with an account, a project and its key. */
export interface TestUser {
  email: string;
  cookie: string;
  project: { id: string; name: string };
  apiKey: string;
}

export interface TestDaemon extends TestUser {
  /** The address it listens on. */
  url: string;
  /** The port that serves custom domains by HTTPS. */
  httpsPort: number | null;
  store: Daemon['store'];
  dataDir: string;
  inject: Daemon['inject'];
  /**
   * Sends a request with the project's key. Bodies other than strings are sent as JSON. Throws if the answer does not
   * match the OpenAPI document.
   */
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<TestAnswer>;
  /** Signs another person up, with a project of their own. */
  another(name: string): Promise<TestUser>;
  /** Stops the daemon and starts it again on the same data, at the same address. */
  restart(): Promise<void>;
  /** A stop waits no longer for messages being sent. */
  interrupt(): void;
  close(): Promise<void>;
}

/**
 * A daemon in this process, with a person, a project and a key. Throttling is off unless `env` says otherwise.
 * Passwords are hashed cheaply unless `passwords` says otherwise.
 */
export async function createTestDaemon({
  env = {},
  database,
  machine,
  ...overrides
}: TestDaemonOptions = {}): Promise<TestDaemon> {
  const opened = await database?.open();
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-daemon-'));
  if (!opened?.options.databaseUrl) await copyMigratedSqlite(dataDir);
  const start = (port: string) =>
    startDaemon(
      readConfig({
        env: {
          UPTIME_PORT: port,
          UPTIME_DATA_DIR: dataDir,
          UPTIME_RATE_LIMIT: 'off',
          ...(opened?.options.databaseUrl && { UPTIME_DATABASE_URL: opened.options.databaseUrl }),
          ...env,
        },
      }),
      {
        // Test and daemon share one event loop, which tests may hold.
        loopDelayMs: () => 0,
        log: silentLog,
        passwords: cheapPasswords,
        // The same whether the sources were built or not.
        downloads: noDownloads,
        ...(machine && { clock: createSteadyClock(machine) }),
        ...overrides,
      },
    );
  let daemon = await start('0');
  const url = daemon.localUrl;

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    const parsed: unknown = text === '' ? undefined : /json/.test(type ?? '') ? JSON.parse(text) : text;
    const answer: TestAnswer = { status: response.status, headers: response.headers, body: parsed };
    checkAnswer({ method, path, status: answer.status, type, body: parsed });
    return answer;
  };

  const signUp = async (name: string): Promise<TestUser> => {
    const email = `${name}@example.com`;
    const signedUp = await send('POST', '/api/auth/sign-up/email', { name, email, password: 'correct horse' });
    if (signedUp.status !== 200) throw new Error(`Sign-up failed: ${JSON.stringify(signedUp.body)}`);
    const cookie = signedUp.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const created = await send('POST', '/api/projects', { name }, { cookie });
    const project = created.body as { id: string; name: string; apiKey: string };
    return { email, cookie, project, apiKey: project.apiKey };
  };

  const close = async () => {
    await daemon.close();
    await opened?.dispose();
    await rm(dataDir, { recursive: true, force: true });
  };
  const user = await signUp('ada').catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...user,
    url,
    get httpsPort() {
      return daemon.httpsPort;
    },
    get store() {
      return daemon.store;
    },
    dataDir,
    inject: ((request: never) => daemon.inject(request)) as Daemon['inject'],
    request: (method, path, body, { apiKey = user.apiKey, cookie, headers } = {}) =>
      send(method, path, body, {
        ...(cookie === undefined ? apiKey !== null && { 'x-api-key': apiKey } : { cookie }),
        ...headers,
      }),
    another: signUp,
    interrupt: () => daemon.interrupt(),
    async restart() {
      await daemon.close();
      daemon = await start(new URL(url).port);
    },
    close,
  };
}

export const silentLog: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Tests look at answers. A test that looks at the log passes its own.
}
