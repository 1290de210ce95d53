import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pooler } from './pooled-postgres.ts';
import { freePort } from './targets/free-port.ts';

/** The user id of `nobody` on every Unix. PgBouncer refuses to run as root. */
const nobody = 65534;
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Starts the PgBouncer that is installed on this machine, in transaction mode, with two sessions for each database. */
export async function startPgBouncer(socketFolder: string): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=${socketFolder} port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
server_round_robin = 1
`,
  );
  const program = spawn('pgbouncer', [settings], { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  const up = new Promise<void>((resolve, reject) => {
    program.on('error', reject);
    program.on('exit', () => reject(new Error(`PgBouncer ended: ${output}`)));
    program.stderr.on('data', (text) => {
      output += String(text);
      if (output.includes('process up')) resolve();
    });
  });
  await up;
  return {
    port,
    async close() {
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
