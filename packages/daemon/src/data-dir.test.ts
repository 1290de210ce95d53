import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirInUse, takeDataDir } from './data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'uptime-')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

test('only one process at a time can lock a data folder; after its release, the folder can be locked again', async () => {
  const first = takeDataDir(folder);
  expect(() => takeDataDir(folder)).toThrow(DataDirInUse);
  expect(() => takeDataDir(folder)).toThrow(/Another uptimed is using /);
  first.release();
  takeDataDir(folder).release();
});

test('the secret of a data folder is generated once, and only the owner of the folder can read it', async () => {
  const first = takeDataDir(folder);
  first.release();
  const second = takeDataDir(folder);
  second.release();
  expect(first.secretKey).toMatch(/^[0-9a-f]{64}$/);
  expect(second.secretKey).toBe(first.secretKey);
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).toContain(first.secretKey);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'daemon.lock'))).mode & 0o777).toBe(0o600);
});

test('a secret written to an existing empty file becomes readable only by its owner', async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'secret.key'), '', { mode: 0o644 });
  const { release, secretKey } = takeDataDir(folder);
  release();
  expect(secretKey).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
});

test('takeDataDir creates the data folder with all missing parent folders', async () => {
  const deep = join(folder, 'a', 'b');
  takeDataDir(deep).release();
  expect((await stat(deep)).mode & 0o777).toBe(0o700);
});

// `/proc` is a file system that refuses new folders. `/dev/null` is not a folder at all.
const nowhere = process.platform === 'linux' ? '/proc/uptime/data' : '/dev/null/data';
test.each([nowhere, '/dev/null/data'])(
  'takeDataDir refuses the data folder %s, and the error asks for another folder',
  (path) => {
    expect(() => takeDataDir(path)).toThrow(/^The data folder .* cannot be written \(\w+\): choose another/);
  },
);
