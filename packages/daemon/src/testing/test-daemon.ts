import { readConfig } from '../config/config.ts';
import { type Daemon, type Overrides, startDaemon } from '../daemon.ts';
import type { Clock, Logger } from '../deps.ts';
import { createSteadyClock } from '../steady-clock.ts';
import { checkAnswer } from './answer-check.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { noDownloads } from './never-called.ts';
import type { TestDatabaseKind } from './databases.ts';
import { openNodes, type TestNode } from './test-nodes.ts';
import { defaultWorld, type TestWorld } from './test-world.ts';

export interface TestDaemonOptions extends Overrides {
  /** Settings, by their environment variables. */
  env?: Record<string, string>;
  /** Default: SQLite in a folder of its own. */
  database?: TestDatabaseKind;
  /** The database and the number of nodes. By default, `worldOf` chooses them. */
  world?: TestWorld;
  /** The clock of the machine. Each start of the daemon makes a new steady clock from it. */
  machine?: Clock;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or text if it is not JSON; undefined without a body. */
  body: unknown;
}

export interface RequestOptions {
  /** The API key to send in place of the project's key. Null sends no key. */
  apiKey?: string | null;
  /** Sends this session instead of the key. */
  cookie?: string;
  headers?: Record<string, string>;
}

/** A person with an account, a project and an API key of that project. */
export interface TestUser {
  email: string;
  cookie: string;
  project: { id: string; name: string };
  apiKey: string;
}

export interface TestDaemon extends TestUser {
  /** The address of the daemon. If there are several nodes, this is the address of the proxy in front of them. */
  url: string;
  /** The number of nodes. */
  nodes: number;
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
  /** Creates an account for another person, with a project of their own. */
  another(name: string): Promise<TestUser>;
  /** Stops the daemon and starts it again on the same data, at the same address. */
  restart(): Promise<void>;
  /** Lets `close` and `restart` end without waiting for messages that are being sent. */
  interrupt(): void;
  close(): Promise<void>;
}

/**
 * Starts a daemon in this process, with a person, a project and an API key. Rate limits are off unless `env` says
 * otherwise. Passwords are hashed cheaply unless `passwords` says otherwise.
 */
export async function createTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { env = {}, database, world: given, machine, ...overrides } = options;
  const world = given ?? worldOf(database, overrides.clock ?? machine);
  const opened = await world.database?.open();
  const nodes = await openNodes(world, { env, databaseUrl: opened?.options.databaseUrl });
  const clock = () => machine && { clock: createSteadyClock(machine) };
  const start = (node: TestNode) => startOn(node, { ...clock(), ...overrides });
  let daemons = await nodes.start(start);
  const { dataDir } = nodes;
  const url = nodes.url();
  let turn = 0;
  /**
   * Returns the next node at each call. So requests by `inject`, which use no socket, are spread over the nodes, like
   * requests through the proxy.
   */
  const nextDaemon = () => daemons[turn++ % daemons.length]!;

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    sendTo(url, { method, path, body, headers });

  const signUp = async (name: string): Promise<TestUser> => {
    const email = `${name}@example.com`;
    const signedUp = await send('POST', '/api/auth/sign-up/email', { name, email, password: 'correct horse' });
    if (signedUp.status !== 200) throw new Error(`Sign-up failed: ${JSON.stringify(signedUp.body)}`);
    const cookie = cookieOf(signedUp);
    const created = await send('POST', '/api/projects', { name }, { cookie });
    const project = created.body as { id: string; name: string; apiKey: string };
    return { email, cookie, project, apiKey: project.apiKey };
  };

  const stop = () => Promise.all(daemons.map((daemon) => daemon.close()));
  const close = async () => {
    await stop();
    await nodes.close();
    await opened?.dispose();
  };
  const user = await signUp('ada').catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...user,
    url,
    nodes: world.nodes,
    get httpsPort() {
      return daemons[0]!.httpsPort;
    },
    get store() {
      return daemons[0]!.store;
    },
    dataDir,
    inject: ((request: never) => nextDaemon().inject(request)) as Daemon['inject'],
    request: (method, path, body, { apiKey = user.apiKey, cookie, headers } = {}) =>
      send(method, path, body, {
        ...(cookie === undefined ? apiKey !== null && { 'x-api-key': apiKey } : { cookie }),
        ...headers,
      }),
    another: signUp,
    interrupt: () => daemons.forEach((daemon) => daemon.interrupt()),
    async restart() {
      await stop();
      daemons = await nodes.start(start);
    },
    close,
  };
}

/**
 * Returns the database and the number of nodes for a test that does not name them. UPTIME_TEST_WORLD decides. A test
 * gets only one node if it moves the clock, or uses another database than the one that UPTIME_TEST_WORLD names.
 */
function worldOf(database: TestDatabaseKind | undefined, clock: Clock | undefined): TestWorld {
  const world = defaultWorld();
  if (clock !== undefined || (database && database.name !== world.database?.name)) return { database, nodes: 1 };
  return database ? { ...world, database } : world;
}

const cookieOf = ({ headers }: TestAnswer): string =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');

const startOn = (node: TestNode, overrides: Overrides) =>
  startDaemon(readConfig({ env: node.env() }), {
    // Test and daemon share one event loop, which a test may block. The daemon must not count that as overload.
    loopDelayMs: () => 0,
    log: silentLog,
    passwords: cheapPasswords,
    // The daemon offers no downloads. Otherwise it would offer the files of `dist/downloads` if a build has made them.
    downloads: noDownloads,
    ...overrides,
  });

async function sendTo(
  url: string,
  { method, path, body, headers }: { method: string; path: string; body: unknown; headers: Record<string, string> },
): Promise<TestAnswer> {
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
}

export const silentLog: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // The line is dropped. A test that reads the log passes its own logger.
}
