import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { boundMs } from '../../packages/daemon/src/testing/bound-ms.ts';

const scripts = resolve(import.meta.dirname, '..');
const { scripts: packageScripts } = JSON.parse(readFileSync(join(scripts, '../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const lock = (version: string) => ({
  packages: { '': { name: 'x' }, 'node_modules/a': { version, integrity: `sha512-${version}` } },
});

test('a clone without packages installs the packages once', async () => {
  const clone = makeClone();
  expect(await clone.ready()).toMatchObject({ code: 0, output: expect.stringContaining('Installing packages') });
  expect(await clone.ready()).toEqual({ code: 0, output: '' });
  expect(clone.installs()).toHaveLength(1);
});

test('a start keeps packages that match the lock file, and replaces packages of an older lock file', async () => {
  const clone = makeClone();
  clone.install('1.0.0');
  expect(await clone.ready()).toEqual({ code: 0, output: '' });
  clone.writeLock('2.0.0');
  expect(await clone.ready()).toMatchObject({ code: 0 });
  expect(clone.installs()).toHaveLength(1);
});

test('a start installs again if a package is missing', async () => {
  const clone = makeClone();
  clone.install('1.0.0');
  rmSync(join(clone.folder, 'node_modules/a'), { recursive: true });
  await clone.ready();
  expect(clone.installs()).toHaveLength(1);
});

test('four simultaneous starts install the packages only once', async () => {
  const clone = makeClone();
  const ends = await Promise.all([clone.ready(), clone.ready(), clone.ready(), clone.ready()]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(clone.installs()).toHaveLength(1);
});

test('a start ignores the lock of a process that was killed', async () => {
  const clone = makeClone();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(clone.folder, '.stamp-install'), String(pid));
  expect(await clone.ready()).toMatchObject({ code: 0 });
});

test('after a failed installation, a start prints one sentence and fails', async () => {
  const clone = makeClone();
  const { code, output } = await clone.ready({ NPM_FAILS: '1' });
  expect(code).toBe(1);
  expect(output).toMatch(/could not be installed \(npm ci exited with 7\)/);
});

test('if install scripts of packages cannot start the Node of the lock file, a message explains why', async () => {
  const { code, output } = await makeClone().ready({
    NPM_FAILS: 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file',
  });
  expect(code).toBe(1);
  expect(output).toMatch(/npm error node: error while loading.*\n.*libatomic.so.1 is missing. Run `apt-get install -y/);
});

test('if the Node of the lock file does not start, a message explains why', async () => {
  const clone = makeClone();
  clone.install('1.0.0');
  clone.lockNode('echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127');
  const { code, output } = await clone.ready();
  expect(code).toBe(1);
  expect(output).toMatch(/does not start here: libatomic.so.1 is missing. Run `apt-get install -y libatomic1` as root/);

  clone.lockNode('exit 0', '/no/such/loader');
  expect((await clone.ready()).output).toMatch(/it needs glibc, which musl systems such as Alpine lack/);

  clone.lockNode('exit 0');
  expect(await clone.ready()).toEqual({ code: 0, output: '' });
});

test('a signal during the installation stops all its processes, and the next start installs again', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const clone = makeClone();
    const { code, withinMs, npm } = await clone.interrupt(signal);
    expect(code).not.toBe(0);
    expect(withinMs).toBeLessThan(boundMs(2000));
    expect(readFileSync(join(clone.folder, 'npm-asked'), 'utf8')).toBe(signal);
    expect(() => process.kill(npm, 0)).toThrow('ESRCH');
    expect(readdirSync(clone.folder).filter((name) => name.startsWith('.stamp'))).toEqual([]);
    expect(await clone.ready()).toMatchObject({ code: 0 });
    expect(clone.installs()).toHaveLength(2);
  }
});

test('every npm script that is one command begins with exec, because a shell would not pass signals on to the command', () => {
  const kept = Object.entries(packageScripts).filter(
    ([, command]) => !command.includes('&&') && !command.startsWith('exec '),
  );
  expect(kept).toEqual([]);
});

test('pre-scripts run with the Node that runs npm, because the Node in node_modules may not start', () => {
  const before = Object.entries(packageScripts).filter(([name]) => name.startsWith('pre'));
  expect(before.length).toBeGreaterThan(0);
  for (const [name, command] of before)
    expect([name, command]).toEqual([
      name,
      expect.stringMatching(/^exec "\$\{npm_node_execpath:-node\}" scripts\/ready\.mjs/),
    ]);
});

test('the npm that installs gets no settings of the npm that called the script, and no path into node_modules', async () => {
  const clone = makeClone();
  const bin = join(clone.folder, 'node_modules/.bin');
  await clone.ready({ npm_config_engine_strict: 'true', npm_lifecycle_event: 'prestart', NODE_ENV: 'production' }, bin);
  const [installed] = clone.installs();
  expect(installed).toMatchObject({ args: expect.arrayContaining(['ci']) });
  expect(Object.keys(installed!.env)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(npm_config_engine_strict|npm_lifecycle_event|NODE_ENV)$/)]),
  );
  expect(installed!.env['PATH']).not.toContain('node_modules');
});

/** Makes a clone with one package to install, and a fake npm. */
function makeClone() {
  const folder = mkdtempSync(join(tmpdir(), 'uptime-ready-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(scripts, 'ready.mjs'), join(folder, 'scripts/ready.mjs'));
  cpSync(join(scripts, 'ready'), join(folder, 'scripts/ready'), { recursive: true });
  const writeLock = (version: string) =>
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock(version)));
  writeLock('1.0.0');
  mkdirSync(join(folder, 'bin'));
  const npm = `#!${process.execPath}\n(${pretendToInstall.toString()})(require('node:fs'), process);\n`;
  writeFileSync(join(folder, 'bin/npm'), npm, { mode: 0o755 });
  const install = (version: string) => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    mkdirSync(join(folder, 'node_modules/a'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/a/package.json'), '{}');
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(lock(version)));
  };
  const packaged = `node-${process.platform === 'darwin' ? 'bin-darwin' : process.platform}-${process.arch}`;
  const lockedNode = join(folder, 'node_modules', packaged, 'bin/node');
  return {
    folder,
    writeLock,
    install,
    /** Replaces the Node of the lock file with a script. */
    lockNode(script: string, shell = '/bin/sh') {
      mkdirSync(dirname(lockedNode), { recursive: true });
      writeFileSync(lockedNode, `#!${shell}\n${script}\n`, { mode: 0o755 });
    },
    installs: () =>
      readFileSync(join(folder, 'installs'), { encoding: 'utf8', flag: 'a+' })
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { args: string[]; env: Record<string, string> }),
    /** Runs the pre-script of `npm start` as npm does, and sends it a signal during the installation. */
    async interrupt(signal: NodeJS.Signals) {
      const child = spawn('/bin/sh', ['-c', packageScripts['prestart']!], {
        cwd: folder,
        env: { PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}`, NPM_SLEEPS: '1' },
        stdio: 'ignore',
      });
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const npm = await vi.waitFor(() => {
        const pid = Number(readFileSync(join(folder, 'npm-sleeps'), 'utf8'));
        expect(pid).toBeGreaterThan(0);
        return pid;
      }, 10_000);
      const begun = performance.now();
      child.kill(signal);
      const code = await ended;
      return { code, withinMs: performance.now() - begun, npm };
    },
    ready: (env: Record<string, string> = {}, path = '/nowhere') => runReady(folder, env, path),
  };
}

const runReady = (folder: string, env: Record<string, string>, path: string) =>
  new Promise<{ code: number | null; output: string }>((ended) => {
    const child = spawn(process.execPath, [join(folder, 'scripts/ready.mjs')], {
      env: { PATH: `${path}:${join(folder, 'bin')}`, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => ended({ code, output }));
  });

/** The source of the fake npm. It runs as a separate program, so it must not use other names of this file. */
function pretendToInstall(fs: typeof nodeFs, process: NodeJS.Process): void {
  fs.appendFileSync('installs', `${JSON.stringify({ args: process.argv.slice(2), env: process.env })}\n`);
  if (process.env['NPM_FAILS']) {
    fs.writeSync(2, `npm error ${process.env['NPM_FAILS']}\n`);
    process.exit(7);
  }
  if (process.env['NPM_SLEEPS']) {
    // Like the real npm, the fake npm continues after these signals.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => fs.writeFileSync('npm-asked', signal));
    setTimeout(() => {}, 60_000);
    fs.writeFileSync('npm-sleeps', String(process.pid));
    return;
  }
  fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules/.bin', { recursive: true });
  fs.mkdirSync('node_modules/a');
  fs.writeFileSync('node_modules/a/package.json', '{}');
  fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
}
