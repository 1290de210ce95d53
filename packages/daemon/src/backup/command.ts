import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { readConfigFile } from '../config/config-file.ts';
import { parseFlags } from '../config/parse-flags.ts';
import { sqliteFile } from '../store/sqlite.ts';
import { BackupError } from './backup-error.ts';
import { megabytes } from './megabytes.ts';
import { type BackupOptions, writeBackup } from './write-backup.ts';

export interface BackupContext extends Omit<BackupOptions, 'dataDir' | 'file' | 'force'> {
  env: Record<string, string | undefined>;
}

const help = `uptimed backup: copy the SQLite database to a file, while the daemon runs

  uptimed backup /backup/uptime.db
  uptimed backup /backup/uptime.db --force --data-dir /var/lib/uptimed

The file holds the database as it was when the backup began. Only its owner can read it. It appears under its name when it
is complete and checked. Until then it is called <file>.part. If the backup is interrupted, no file is left.

  --force             replace an existing file
  --data-dir <folder> the data folder; default: UPTIME_DATA_DIR
  --config <file>     the daemon's config file`;

/** Runs `uptimed backup`. Throws ConfigError for a wrong command line, and BackupError if no backup could be made. */
export async function runBackup(args: string[], context: BackupContext): Promise<void> {
  const { values: given, positionals } = parse(args);
  if (given.help) return context.print(help);
  const config = await configOf(given, context.env);
  if (config.databaseUrl !== null)
    throw new ConfigError('The data is in PostgreSQL (UPTIME_DATABASE_URL). Back it up with `pg_dump`.');
  const [name, ...others] = positionals;
  if (!name || others.length > 0)
    throw new ConfigError('Name one file for the backup, such as `uptimed backup /backup/uptime.db`.');

  const { dataDir } = config;
  const from = sqliteFile(dataDir);
  await expectDatabase(from, dataDir);
  const { print, clock } = context;
  const [file, startedMonoMs] = [resolve(name), clock.monotonicMs()];
  const bytes = await writeBackup(from, { ...context, dataDir, file, force: given.force ?? false });
  const seconds = ((clock.monotonicMs() - startedMonoMs) / 1000).toFixed(1);
  print(`${file} is complete and checked: ${megabytes(bytes)} in ${seconds} s.`);
  print(alsoKeep(config));
}

async function expectDatabase(file: string, dataDir: string): Promise<void> {
  try {
    // Even a read needs write access, because SQLite stores for each reader which part of the write-ahead log it reads.
    await access(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${dataDir} has no SQLite database. Name the daemon's folder with --data-dir or UPTIME_DATA_DIR.`
        : `${file} cannot be opened (${code}). Run the backup as the daemon's user or as root.`,
      { cause: error },
    );
  }
}

/** Returns a sentence that names the files and settings which have to be kept besides the database. */
function alsoKeep({ dataDir, secretKey }: Config): string {
  const certificates = join(dataDir, 'certificates');
  const kept = [
    secretKey === null ? join(dataDir, 'secret.key') : 'UPTIME_SECRET_KEY',
    ...(existsSync(certificates) ? [`${certificates}/`] : []),
  ];
  return `Also keep ${kept.join(' and ')}. Without the key, the stored secrets cannot be decrypted.`;
}

async function configOf(
  given: { config?: string | undefined; 'data-dir'?: string | undefined },
  env: BackupContext['env'],
): Promise<Config> {
  const file = given.config === undefined ? {} : await readConfigFile(given.config);
  const dataFolder = given['data-dir'];
  return readConfig({ flags: dataFolder === undefined ? {} : { dataDir: dataFolder }, env, file });
}

function parse(args: string[]) {
  return parseFlags({
    args,
    allowPositionals: true,
    options: {
      force: { type: 'boolean' },
      'data-dir': { type: 'string' },
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
