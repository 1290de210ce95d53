import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of a Unix socket. Its listener sends the address of the test run's PostgreSQL, as JSON. */
    postgresSocket: string;
  }
}

/**
 * Vitest's global set-up. It makes a folder for the databases that tests copy and the programs that tests start. When a
 * test first asks for PostgreSQL, the set-up starts one server for the whole run. In the server's address, `DATABASE`
 * stands for the name of a database.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-run-'));
  let starting: Promise<PostgresServer> | undefined;
  const control = createServer((socket) => {
    starting ??= startPostgres();
    starting.then(
      (server) => socket.end(JSON.stringify({ url: server.url('DATABASE') })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  const path = join(folder, 'postgres');
  control.listen(path);
  await once(control, 'listening');
  project.provide('postgresSocket', path);
  // This is an environment variable, because test daemons also run outside of vitest, where `provide` has no effect.
  process.env['TEST_DATABASE_TEMPLATES'] = folder;
  // Programs are not bundled in watch mode. There the sources change during a run, and a bundle would be out of date.
  if (!project.vitest.config.watch) process.env['TEST_PROGRAMS'] = join(folder, 'programs');
  return async () => {
    control.close();
    await (await starting)?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
