import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { systemClock } from '../deps.ts';
import { openStore } from '../store/open-store.ts';
import { compileCache } from '../testing/compile-cache.ts';
import { copyMigratedSqlite } from '../testing/migrated-sqlite.ts';
import { silentLog } from '../testing/test-daemon.ts';
import { testProgram } from '../testing/test-program.ts';
import { BackupError } from './backup-error.ts';
import { type BackupContext, runBackup } from './command.ts';

/** The folder that the backups are written to. */
let folder: string;
let dataDir: string;
let file: string;
/** Writes to the database while the backup copies it, as a daemon does. */
let writer: Database.Database;
let lines: string[];
beforeEach(async () => {
  const above = await mkdtemp(join(tmpdir(), 'uptime-backup-'));
  [folder, dataDir, lines] = [join(above, 'backups'), join(above, 'data'), []];
  file = join(folder, 'copy.db');
  await mkdir(folder);
  await copyMigratedSqlite(dataDir);
  writer = new Database(join(dataDir, 'uptime.db'));
  writer.exec(`pragma synchronous = off; create table counted (one integer, other integer); insert into counted values (0, 0);
    create table filler (id integer primary key, content blob);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
    insert into filler select i, zeroblob(16000) from n`);
});
afterEach(async () => {
  writer.close();
  await rm(join(folder, '..'), { recursive: true });
});

const backUp = (args: string[] = [file], changed: Partial<BackupContext> = {}) =>
  runBackup(['--data-dir', dataDir, ...args], {
    env: {},
    clock: systemClock,
    print: (line) => void lines.push(line),
    onProgress: () => {},
    stopping: new AbortController().signal,
    ...changed,
  });

/** Commits one transaction that changes old pages and adds new pages. */
const write = (step: number) =>
  writer.exec(`begin; update counted set one = one + 1;
    update filler set content = randomblob(16000) where id = ${step}; insert into filler(content) values (randomblob(9000));
    update counted set other = other + 1; commit`);

function countedIn(path: string): unknown {
  const copy = new Database(path, { readonly: true });
  try {
    return copy.prepare('select * from counted').get();
  } finally {
    copy.close();
  }
}

test('a backup is a snapshot of the database at its start, even if rows are written during every step', async () => {
  write(1);
  const shares: number[] = [];
  const umask = process.umask(0);
  try {
    await backUp([file], { onProgress: (share) => write(shares.push(share)) });
  } finally {
    process.umask(umask);
  }
  expect(shares.length).toBeGreaterThan(5);
  // If SQLite restarted the copy, the copied share would get smaller.
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(countedIn(file)).toEqual({ one: 1, other: 1 });
  expect(await readdir(folder)).toEqual(['copy.db']);
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  expect(lines).toEqual([
    expect.stringMatching(/copy\.db is complete and checked: \d\.\d MB in \d+\.\d s\.$/),
    `Also keep ${join(dataDir, 'secret.key')}. Without the key, the stored secrets cannot be decrypted.`,
  ]);
});

test('a daemon opens the copy as its database', async () => {
  const restored = join(folder, 'restored');
  await mkdir(restored);
  await backUp([join(restored, 'uptime.db')]);
  const store = await openStore({ dataDir: restored, log: silentLog });
  try {
    expect(await store.db.selectFrom('monitor').selectAll().execute()).toEqual([]);
  } finally {
    await store.close();
  }
});

test('a backup moves the write-ahead log into the database, including the writes during the copy', async () => {
  await backUp([file], { onProgress: () => write(1) });
  const [state] = writer.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[];
  expect(state!.checkpointed).toBe(state!.log);
});

test('the last line that uptimed backup prints names what else to keep: the secret key and any certificates', async () => {
  await mkdir(join(dataDir, 'certificates'));
  await backUp([file], { env: { UPTIME_SECRET_KEY: 'a secret of this test, long enough for all' } });
  expect(lines[1]).toMatch(/^Also keep UPTIME_SECRET_KEY and \S+\/data\/certificates\/\./);
});

test('a backup replaces an existing file only with --force', async () => {
  await writeFile(file, 'an earlier backup');
  await expect(backUp()).rejects.toThrow(
    new BackupError(`${file} exists already. Choose another name, or replace the file with \`--force\`.`),
  );
  expect(await readFile(file, 'utf8')).toBe('an earlier backup');
  await backUp([file, '--force']);
  expect(countedIn(file)).toEqual({ one: 0, other: 0 });
});

test('a backup does not replace a file that another program creates at its target during the copy', async () => {
  const appear = () => void writeFile(file, 'of another program');
  await expect(backUp([file], { onProgress: appear })).rejects.toThrow(BackupError);
  expect(await readFile(file, 'utf8')).toBe('of another program');
  expect(await readdir(folder)).toEqual(['copy.db']);
});

test('an interrupted backup leaves no new file', async () => {
  await writeFile(file, 'an earlier backup');
  const stopping = new AbortController();
  const onProgress = (share: number) => {
    if (share > 0.5) stopping.abort(new Error('The backup was interrupted.'));
  };
  const interrupted = backUp([file, '--force'], { onProgress, stopping: stopping.signal });
  await expect(interrupted).rejects.toThrow(/^The backup was interrupted\.$/);
  expect(await readdir(folder)).toEqual(['copy.db']);
  expect(await readFile(file, 'utf8')).toBe('an earlier backup');
});

test('a backup fails before the copy if the disk has too little room', async () => {
  const steps: number[] = [];
  const onProgress = (share: number) => void steps.push(share);
  await expect(backUp([file], { onProgress, freeBytes: async () => 1_000_000 })).rejects.toThrow(
    /^The backup needs [78]\.\d MB, but the disk of \S+\/backups has only 1\.0 MB free\. Choose a file on another disk\.$/,
  );
  expect(steps).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

test('a backup leaves no file if a write fails during the copy', async () => {
  writer.pragma('wal_checkpoint(truncate)');
  // This limit on the size of files (in blocks of 512 bytes) makes writes beyond 4 MB fail.
  const limited = ['-c', 'ulimit -f 8192; exec "$@"', 'sh', process.execPath, ...testProgram('uptimed')];
  const child = spawn('sh', [...limited, 'backup', file, '--data-dir', dataDir], {
    env: compileCache(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  expect({ code: child.exitCode, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The backup \S+copy\.db could not be written: [^\n]+ \(SQLITE_\w+\)\.\n$/);
  expect(await readdir(folder)).toEqual([]);
});

test('a backup of a damaged database fails and leaves no file', async () => {
  writer.pragma('wal_checkpoint(truncate)');
  const damaged = await open(join(dataDir, 'uptime.db'), 'r+');
  const { size } = await damaged.stat();
  await damaged.write(Buffer.alloc(4096, 'x'), 0, 4096, Math.floor(size / 8192) * 4096);
  const root = writer.prepare(`select rootpage from sqlite_master where name = 'filler'`).pluck().get() as number;
  await damaged.write(Buffer.alloc(64, 'x'), 0, 64, (root - 1) * 4096);
  await damaged.close();
  await expect(backUp()).rejects.toThrow(/^The copy is damaged, and probably the database too: [^\n]+\. Keep/);
  expect(await readdir(folder)).toEqual([]);
});

test('a backup replaces the unfinished file of a killed backup, and fails if another backup is still writing that file', async () => {
  const part = new Database(`${file}.part`);
  part.exec('create table left_over (x); begin exclusive');
  await expect(backUp()).rejects.toThrow(/^Another backup is writing \S+copy\.db\.part\./);
  expect(await readdir(folder)).toContain('copy.db.part');
  part.exec('commit');
  part.close();
  await backUp();
  expect(await readdir(folder)).toEqual(['copy.db']);
});

test('a backup fails if its .part file exists and was not written by a backup, and it leaves that file as it is', async () => {
  await writeFile(
    `${file}.part`,
    'a part of something else, long enough to have a header of a hundred bytes'.repeat(9),
  );
  await expect(backUp()).rejects.toThrow(/exists, but no backup wrote it\. Remove it: `rm \S+copy\.db\.part`\.$/);
  expect(await readdir(folder)).toEqual(['copy.db.part']);
});

test('if the data is in PostgreSQL, the error of uptimed backup names pg_dump', async () => {
  const env = { UPTIME_DATABASE_URL: 'postgres://uptime@127.0.0.1/uptime' };
  await expect(backUp([file], { env })).rejects.toThrow(
    new ConfigError('The data is in PostgreSQL (UPTIME_DATABASE_URL). Back it up with `pg_dump`.'),
  );
});

test.each([
  [[], /^Name one file for the backup/],
  [['a.db', 'b.db'], /^Name one file for the backup/],
  [['{folder}'], /backups is a folder\. Name a file in it, such as \S+\/backups\/uptime\.db\.$/],
  [['{folder}/missing/a.db'], /^The folder \S+missing does not exist\. Create it: `mkdir -p \S+missing`\.$/],
  [['{data}/uptime.db', '--force'], /is a file of the daemon/],
  [['{folder}/../data/secret.key', '--force'], /is a file of the daemon/],
  [['/dev/null', '--force'], /is not a regular file/],
  [['a.db', '--fore'], /--fore/],
])('uptimed backup refuses the command line %j', async (args, sentence) => {
  const given = args.map((arg) => arg.replace('{folder}', folder).replace('{data}', dataDir));
  const refused = backUp(given);
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.toBeInstanceOf(ConfigError);
  expect(countedIn(join(dataDir, 'uptime.db'))).toEqual({ one: 0, other: 0 });
});

test('the error for a data folder without a database names the folder', async () => {
  await expect(backUp([file, '--data-dir', folder])).rejects.toThrow(/backups has no SQLite database\. Name the/);
});
