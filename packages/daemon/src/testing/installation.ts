import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { readConfig } from '../config/config.ts';
import { type Daemon, type Overrides, startDaemon } from '../daemon.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { databases, type TestDatabase } from './databases.ts';
import { noDownloads } from './never-called.ts';
import { createTestDaemon, silentLog, type TestDaemon } from './test-daemon.ts';

/** Nodes in this process that share one PostgreSQL. `await using` stops them and removes the database. */
export interface Installation extends AsyncDisposable {
  database: TestDatabase;
  /** The first node, with a person, a project and a key. */
  first: TestDaemon;
  /** Starts another node, with a data folder of its own. */
  join(env?: Record<string, string>, overrides?: Overrides): Promise<Daemon>;
}

/**
 * Starts the first node of an installation. The settings in `env` are for all nodes, those in `first` only for the
 * first node.
 */
export async function startInstallation(
  { env = {}, first: own = {} }: { env?: Record<string, string>; first?: Record<string, string> } = {},
  overrides: Overrides = {},
): Promise<Installation> {
  await using started = new AsyncDisposableStack();
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  started.defer(() => database.dispose());
  const shared = {
    UPTIME_DATABASE_URL: database.options.databaseUrl!,
    UPTIME_SECRET_KEY: 'one key for all nodes '.repeat(2),
    UPTIME_RATE_LIMIT: 'off',
    ...env,
  };
  const first = await createTestDaemon({ env: { ...shared, ...own }, ...overrides });
  started.defer(() => first.close());
  const kept = started.move();
  return {
    database,
    first,
    async join(more = {}, others = overrides) {
      const dataDir = await mkdtemp(joinPath(tmpdir(), 'uptime-node-'));
      kept.defer(() => rm(dataDir, { recursive: true, force: true }));
      const config = readConfig({ env: { ...shared, UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, ...more } });
      const daemon = await startDaemon(config, {
        loopDelayMs: () => 0,
        log: silentLog,
        passwords: cheapPasswords,
        downloads: noDownloads,
        ...others,
      });
      kept.defer(() => daemon.close());
      return daemon;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
