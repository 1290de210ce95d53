import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A socket that returns the address of the run's PostgreSQL, as JSON. */
    postgresSocket: string;
  }
}

/**
 * Vitest's global set-up. It makes a folder for databases that tests copy and for programs that they start. At the
 * first request it starts one PostgreSQL for the whole run. `DATABASE` in its address stands for the name of a
 * database.
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
  // An environment variable, because test daemons also run outside of vitest, where `provide` has no effect.
  process.env['TEST_DATABASE_TEMPLATES'] = folder;
  // Not in watch mode: there the sources change during a run, and bundled programs would be out of date.
  if (!project.vitest.config.watch) process.env['TEST_PROGRAMS'] = join(folder, 'programs');
  return async () => {
    control.close();
    await (await starting)?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
