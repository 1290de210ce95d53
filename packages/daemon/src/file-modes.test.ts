import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Daemon, readConfig, startDaemon } from './daemon.ts';
import { passingCheck } from './testing/passing-check.ts';
import { silentLog } from './testing/test-daemon.ts';

/** The mode of a folder and of each file in it, by name. */
async function modes(folder: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const found = await Promise.all(
    names.map(async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)] as const),
  );
  return Object.fromEntries(found);
}

test("after a start, only the owner can read the data folder's files, even with umask 0 or if all users could read them before", async () => {
  const above = await mkdtemp(join(tmpdir(), 'uptime-modes-'));
  const dataDir = join(above, 'data');
  const start = () =>
    startDaemon(readConfig({ env: { UPTIME_DATA_DIR: dataDir, UPTIME_PORT: '0' } }), {
      log: silentLog,
      runCheck: passingCheck,
    });
  // With this umask, all users can read new files unless the daemon sets their mode.
  const umask = process.umask(0);
  let daemon: Daemon | undefined;
  try {
    daemon = await start();
    const first = await modes(dataDir);
    expect(first).toMatchObject({ '.': '700', 'uptime.db': '600', 'uptime.db-wal': '600', 'uptime.db-shm': '600' });
    expect(first).toMatchObject({ 'daemon.lock': '600', 'secret.key': '600' });
    const { '.': _, ...files } = first;
    expect(new Set(Object.values(files))).toEqual(new Set(['600']));

    await daemon.close();
    for (const name of Object.keys(await modes(dataDir))) if (name !== '.') await chmod(join(dataDir, name), 0o666);
    daemon = await start();
    const { '.': folder, ...again } = await modes(dataDir);
    expect(folder).toBe('700');
    expect(again).toEqual(files);
  } finally {
    process.umask(umask);
    await daemon?.close();
    await rm(above, { recursive: true });
  }
});

test.each([
  ['data', 0o755, '0755). If only this daemon uses it, run `chmod 700 {folder}`'],
  ["ada's data", 0o1777, "1777). If only this daemon uses it, run `chmod 700 '{above}/ada'\\''s data'`"],
  ['data', 0o710, '0710). If only this daemon uses it, run `chmod 700 {folder}`'],
  ['data', 0o700, null],
])(
  'an existing data folder %j keeps its mode %o, and a start logs one warning if other users may enter the folder',
  async (name, mode, warning) => {
    const above = await mkdtemp(join(tmpdir(), 'uptime-modes-'));
    const dataDir = join(above, name);
    await mkdir(dataDir);
    await chmod(dataDir, mode);
    const warned: [object, string][] = [];
    const log = { ...silentLog, warn: (what: object, message: string) => void warned.push([what, message]) };
    try {
      const config = readConfig({ env: { UPTIME_DATA_DIR: dataDir, UPTIME_PORT: '0' } });
      const daemon = await startDaemon(config, { log, runCheck: passingCheck });
      await daemon.close();
      const message = warning?.replace('{folder}', dataDir).replace('{above}', above);
      expect(warned).toEqual(message === undefined ? [] : [[{ dataDir }, expect.stringContaining(`mode ${message}`)]]);
      const { '.': folder, ...files } = await modes(dataDir);
      expect(folder).toBe((mode & 0o777).toString(8));
      expect(new Set(Object.values(files))).toEqual(new Set(['600']));
    } finally {
      await rm(above, { recursive: true });
    }
  },
);
