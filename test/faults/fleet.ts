import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Pg from 'pg';
import { type Daemon, readConfig, startDaemon } from '../../packages/daemon/src/daemon.ts';
import type { Clock } from '../../packages/daemon/src/deps.ts';
import { createSteadyClock } from '../../packages/daemon/src/steady-clock.ts';
import { cheapPasswords } from '../../packages/daemon/src/testing/cheap-passwords.ts';
import { databases, type TestDatabase } from '../../packages/daemon/src/testing/databases.ts';
import { createTestDaemon, silentLog, type TestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';

// pg is a dependency of only the daemon, so it is resolved from the daemon's package.
const { Client } = createRequire(new URL('../../packages/daemon/package.json', import.meta.url))('pg') as typeof Pg;

/** Daemons in this process that share one PostgreSQL. `await using` stops them and removes the database. */
export interface Fleet extends AsyncDisposable {
  database: TestDatabase;
  /** The first daemon, with an account, a project and a key. */
  first: TestDaemon;
  /** Sets how far the clock of new database sessions is ahead, in milliseconds. */
  setDatabaseAhead(ms: number): Promise<void>;
  /** Starts another daemon, with a data folder of its own. */
  join(options?: { region?: string; machine?: Clock }): Promise<Daemon>;
}

export async function startFleet({ machine }: { machine?: Clock } = {}): Promise<Fleet> {
  await using started = new AsyncDisposableStack();
  const database = await databases.find(({ name }) => name === 'postgres')!.open();
  started.defer(() => database.dispose());
  await createMovableClock(database);
  const env = { UPTIME_DATABASE_URL: database.options.databaseUrl!, UPTIME_SECRET_KEY: 'x'.repeat(40) };
  const first = await createTestDaemon({ env, ...(machine && { machine }) });
  started.defer(() => first.close());
  const kept = started.move();
  return {
    database,
    first,
    async setDatabaseAhead(ms) {
      await query(database, `update machine.clock set ahead = ${ms}`);
    },
    async join({ region = 'default', machine: own } = {}) {
      const dataDir = await mkdtemp(join(tmpdir(), 'uptime-fleet-'));
      kept.defer(() => rm(dataDir, { recursive: true, force: true }));
      const config = readConfig({
        env: { ...env, UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, UPTIME_RATE_LIMIT: 'off', UPTIME_REGION: region },
      });
      const daemon = await startDaemon(config, {
        loopDelayMs: () => 0,
        log: silentLog,
        passwords: cheapPasswords,
        ...(own && { clock: createSteadyClock(own) }),
      });
      kept.defer(() => daemon.close());
      return daemon;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/**
 * Creates a `clock_timestamp` that a test can shift. Later sessions use it, because its schema is first in their path.
 */
async function createMovableClock(database: TestDatabase): Promise<void> {
  const name = new URL(database.options.databaseUrl!).pathname.slice(1);
  for (const statement of [
    'create schema machine',
    'create table machine.clock (ahead bigint)',
    'insert into machine.clock values (0)',
    `create function machine.clock_timestamp() returns timestamptz language sql volatile as
       $$ select pg_catalog.clock_timestamp() + ahead * interval '1 millisecond' from machine.clock $$`,
    `alter database ${name} set search_path = machine, pg_catalog, public`,
  ])
    await query(database, statement);
}

async function query(database: TestDatabase, statement: string): Promise<void> {
  const client = new Client({ connectionString: database.options.databaseUrl! });
  await client.connect();
  await client.query(statement);
  await client.end();
}
