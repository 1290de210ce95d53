import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../testing/session.ts';
import { type EditedFile, writeFiles } from './write-files.ts';

const manifests = {
  'monitors.yaml': 'include: teams/*.yaml\nmonitors:\n  - { key: a, name: A, type: heartbeat } # first\n',
  'teams/b.yaml': 'monitors:\n  - { key: b, name: B, type: heartbeat } # second\n',
  'teams/c.yaml': 'monitors:\n  - { key: c, name: C, type: heartbeat } # third\n',
};
const names = Object.keys(manifests) as (keyof typeof manifests)[];

let session: Session;
beforeEach(async () => {
  session = await openSession();
  await mkdir(join(session.cwd, 'teams'));
});
afterEach(() => session[Symbol.asyncDispose]());

const processes = { own: 1, isRunning: () => false };
const read = (name: string) => readFile(join(session.cwd, name), 'utf8');
const readEach = () => Promise.all(names.map(read));
const edited = (name: keyof typeof manifests, after = manifests[name].replace('#', '# the')): EditedFile => ({
  name,
  before: manifests[name],
  after,
});

async function writeOld(): Promise<void> {
  for (const name of names) await session.write(name, manifests[name]);
}

/** Returns the names of the temporary files that are left in the folders of the manifests. */
async function leftovers(): Promise<string[]> {
  const found = await readdir(session.cwd, { recursive: true });
  return found.filter((name) => name.endsWith('.tmp'));
}

/**
 * Writes the files in another process. That process runs the code `trouble` directly before it opens the nth new file,
 * or before its nth call of `renameSync`.
 */
function writeInTrouble(
  files: readonly EditedFile[],
  at: { call: 'open' | 'renameSync'; nth: number; trouble: string },
): { signal: NodeJS.Signals | null; stdout: string } {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const owner = ${at.call === 'open' ? 'fs.promises' : 'fs'};
    const original = owner.${at.call};
    let calls = 0;
    owner.${at.call} = (...args) => {
      if (${at.call === 'open' ? "args[1] === 'wx'" : 'true'} && ++calls === ${at.nth}) { ${at.trouble} }
      return original(...args);
    };
    syncBuiltinESMExports();
    const { writeFiles } = await import(${JSON.stringify(import.meta.resolve('./write-files.ts'))});
    const processes = { own: process.pid, isRunning: () => true };
    await writeFiles(${JSON.stringify(files)}, ${JSON.stringify(session.cwd)}, processes).then(
      () => console.log('written'),
      (error) => console.log(error.exit + ': ' + error.message),
    );`;
  const args = ['--conditions=x-source', '--input-type=module', '--eval', script];
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return { signal, stdout };
}

test('a pull that is killed between any two files leaves every file complete, and the next pull writes the other files', async () => {
  await writeOld();
  const done = async (...words: string[]) => {
    const ended = await session.uptime(words);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
  };
  await done('apply', '--yes');
  for (const key of ['a', 'b', 'c']) await done('monitors', 'update', key, '--interval', '77');
  await done('pull');
  const after = await readEach();
  const old = names.map((name) => manifests[name]);
  expect(after.every((text, i) => text !== old[i])).toBe(true);
  const files = names.map((name, i) => edited(name, after[i]));

  for (const call of ['open', 'renameSync'] as const) {
    for (const nth of [1, 2, 3]) {
      await writeOld();
      const killed = writeInTrouble(files, { call, nth, trouble: "process.kill(process.pid, 'SIGKILL');" });
      expect(killed).toEqual({ signal: 'SIGKILL', stdout: '' });
      const renamed = call === 'open' ? 0 : nth - 1;
      expect([call, nth, await readEach()]).toEqual([call, nth, [...after.slice(0, renamed), ...old.slice(renamed)]]);
      await done('pull');
      expect([call, nth, await readEach()]).toEqual([call, nth, after]);
      expect([call, nth, await leftovers()]).toEqual([call, nth, []]);
    }
  }
});

test('an include never reads the temporary file of a killed pull, and the temporary file of a running pull is not removed', async () => {
  await writeOld();
  const unfinished = ['.b.yaml.77-', '.b.yaml.78-'].map((start) => `teams/${start}${randomUUID()}.tmp`);
  for (const name of unfinished) await session.write(name, 'monitors: [{ key: half');
  await session.write('monitors.yaml', manifests['monitors.yaml'].replace('teams/*.yaml', 'teams/{b,c,.b}*'));
  expect(await session.uptime(['validate'])).toMatchObject({ exit: 0 });
  const file = edited('teams/b.yaml');
  await writeFiles([file], session.cwd, { own: 1, isRunning: (pid) => pid === 78 });
  expect(await read('teams/b.yaml')).toBe(file.after);
  expect(await leftovers()).toEqual([unfinished[1]]);
});

test('if a file cannot be replaced, the error names the replaced files and the unchanged files', async () => {
  await writeOld();
  const files = names.map((name) => edited(name));
  const block = (nth: number) =>
    writeInTrouble(files, {
      call: 'renameSync',
      nth,
      trouble: 'fs.rmSync(args[1]); fs.mkdirSync(args[1]);',
    });
  expect(block(2).stdout).toMatch(
    /^partial: teams\/b\.yaml cannot be replaced: .*; replaced: monitors\.yaml; unchanged: teams\/b\.yaml, teams\/c\.yaml\n$/,
  );
  expect([await read('monitors.yaml'), await read('teams/c.yaml')]).toEqual([
    files[0]!.after,
    manifests['teams/c.yaml'],
  ]);
  expect(await leftovers()).toEqual([]);
});

test('if one file cannot be written, no file is changed', async () => {
  await writeOld();
  const files = names.map((name) => edited(name));
  await session.write('teams/c.yaml', 'monitors: [] # edited meanwhile\n');
  await expect(writeFiles(files, session.cwd, processes)).rejects.toThrow(
    'teams/c.yaml has changed since the pull read it; no file was written',
  );
  const blocked = writeInTrouble(files.slice(0, 2), {
    call: 'open',
    nth: 2,
    trouble: "throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });",
  });
  expect(blocked.stdout).toBe(
    'failed: the manifest cannot be written: EROFS: read-only file system; no file was changed\n',
  );
  expect((await readEach()).slice(0, 2)).toEqual(names.slice(0, 2).map((name) => manifests[name]));
  expect(await leftovers()).toEqual([]);
});

test('a written file keeps its mode, and a symbolic link stays a symbolic link', async () => {
  await writeOld();
  const target = join(session.cwd, 'real.yaml');
  await rename(join(session.cwd, 'monitors.yaml'), target);
  await symlink('real.yaml', join(session.cwd, 'monitors.yaml'));
  await chmod(target, 0o664);
  await writeFiles([edited('monitors.yaml')], session.cwd, processes);
  expect(await readFile(target, 'utf8')).toContain('# the first');
  expect((await stat(target)).mode & 0o777).toBe(0o664);
  await writeFile(join(session.cwd, 'monitors.yaml'), 'x');
  expect(await readFile(target, 'utf8')).toBe('x');
});
