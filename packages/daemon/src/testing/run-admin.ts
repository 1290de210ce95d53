import { Readable } from 'node:stream';
import type { TestDatabaseKind } from './databases.ts';
import { passingCheck } from './passing-check.ts';
import { createTestDaemon } from './test-daemon.ts';
import { administer } from '../admin/admin.ts';

/** Runs `uptimed admin …` and returns its output. */
export async function run(args: string[], env: Record<string, string> = {}, input = ''): Promise<string> {
  const printed: string[] = [];
  await administer(args, {
    env,
    stdin: Readable.from([input]),
    print: (line) => void printed.push(line),
  });
  return printed.join('\n');
}

/**
 * Starts a daemon. Returns the daemon, and in `place` the environment variables that tell `uptimed admin` where the
 * daemon's database is.
 */
export async function startOn(database: TestDatabaseKind, env: Record<string, string> = {}) {
  const opened = await database.open();
  const daemon = await createTestDaemon({
    env,
    database: { ...database, open: async () => opened },
    runCheck: passingCheck,
  });
  const { databaseUrl } = opened.options;
  const place: Record<string, string> = databaseUrl
    ? { UPTIME_DATABASE_URL: databaseUrl }
    : { UPTIME_DATA_DIR: daemon.dataDir };
  return { daemon, place };
}
