import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { boundMs } from '../packages/daemon/src/testing/bound-ms.ts';
import { compressed, httpTarget } from '../packages/daemon/src/testing/targets/http.ts';
import { dropLibatomic } from '../scripts/build/drop-libatomic.ts';
import { dt, readElf } from '../scripts/build/elf.ts';
import { askByMcp } from './ask-by-mcp.ts';
import { startProgram } from './running-program.ts';

const root = join(import.meta.dirname, '..');
/** Contains one copy of the executable, and a folder for each test. */
const place = mkdtempSync(join(tmpdir(), 'uptime-binary-'));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build-binary.mjs')], { stdio: 'pipe' });
  copyFileSync(join(root, 'dist/uptimed'), join(place, 'uptimed'));
}, 600_000);

afterAll(() => rmSync(place, { recursive: true, force: true }));

test('the executable needs only libraries that a minimal installation of Debian or Ubuntu has', () => {
  if (process.platform !== 'linux') return;
  const elf = readFileSync(join(root, 'dist/uptimed'));
  expect(dropLibatomic(elf)).toBeNull();
  const image = readElf(elf);
  const needed = image.dynamic.filter(({ tag }) => tag === dt.needed).map(({ value }) => image.text(value));
  const loader = process.arch === 'arm64' ? 'ld-linux-aarch64' : 'ld-linux-x86-64';
  const minimal = [loader, 'libc', 'libdl', 'libgcc_s', 'libm', 'libpthread', 'libstdc++'];
  expect(needed.map((name) => name.replace(/\.so\..*/, '')).toSorted()).toEqual(minimal);
});

test('without other files and with an empty PATH, the executable serves the quickstart', async () => {
  const { folder, run } = alone();
  const daemon = run('uptimed', ['quickstart']);
  const [, url] = await daemon.says(/runs at (http:\S+)/);
  await daemon.says(/ up +This server answers/);
  await daemon.says(/ up +This server's port is open/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await daemon.end('SIGINT')).toEqual({
    code: 0,
    withinMs: expect.toSatisfy((ms: number) => ms < boundMs(2000)),
  });

  // The program created only its settings and its data.
  expect(readdirSync(folder).toSorted()).toEqual(['.config', 'uptime-data', 'uptimed']);
  expect(statSync(join(folder, 'uptime-data')).mode & 0o777).toBe(0o700);
});

test('the executable serves without other files', async () => {
  const { run } = alone();
  const daemon = run('uptimed', ['serve']);
  const [, url] = await daemon.says(/"url":"(http:[^"]+)"/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/api/openapi.json`)).status).toBe(200);
  expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
});

test('the executable uses the code that V8 compiled during the build', async () => {
  const { run } = alone();
  const daemon = run('uptimed', ['serve'], { NODE_DEBUG: 'uptime' });
  await daemon.says(/apart\/uptimed: its stored code was used/);
  await daemon.says(/"message":"serving"/);
  await daemon.end('SIGTERM');
});

test('V8 uses another hash seed at each start of the executable, although each start begins with the same memory snapshot', async () => {
  if (process.platform !== 'linux') return;
  // With a known seed, a request could contain thousands of names with the same hash, and block the server.
  const hashes: string[] = [];
  for (let start = 0; start < 2; start++) {
    const { run } = alone();
    const daemon = run('uptimed', ['serve']);
    await daemon.says(/"message":"serving"/);
    hashes.push(hashOfName(daemon.pid, 'domainExpiryThreshold'));
    await daemon.end('SIGTERM');
  }
  expect(hashes[0]).not.toBe(hashes[1]);
});

/** Finds a name in the memory of a process. Returns its hash, which V8 stores before its length and characters. */
function hashOfName(pid: number, name: string): string {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const header = Buffer.alloc(4);
  header.writeUInt32LE(name.length);
  const wanted = Buffer.concat([header, Buffer.from(name)]);
  try {
    for (const [, from = '', to = ''] of maps) {
      const [begin, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
      const bytes = Buffer.alloc(Math.min(end - begin, 64_000_000));
      const read = readSync(memory, bytes, 0, bytes.length, begin);
      const at = bytes.subarray(0, read).indexOf(wanted);
      if (at >= 4) return bytes.readUInt32LE(at - 4).toString(16);
    }
  } finally {
    closeSync(memory);
  }
  throw new Error(`The memory of process ${pid} has no name ${name}.`);
}

test('the executable refuses to start if it may open only 20 files', () => {
  const program = join(root, 'dist/uptimed');
  const { status, stderr } = spawnSync('/bin/sh', ['-c', `ulimit -n 20; exec '${program}' serve`], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^uptimed needs at least 128 open files, but this process may have only 20\. .+\n$/);
  expect(status).toBe(1);
});

test('after its start, the executable returns to the system the memory that only the start needed', async () => {
  if (process.platform !== 'linux') return;
  const { run } = alone();
  const daemon = run('uptimed', ['serve']);
  await daemon.says(/"message":"serving"/);
  const residentMB = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))![1]) / 1000;
  await vi.waitFor(() => expect(residentMB()).toBeLessThan(125), { timeout: 50_000, interval: 100 });
  await daemon.end('SIGTERM');
});

test('under the name uptime the executable is the command line', async () => {
  const { folder, run } = alone();
  linkSync(join(folder, 'uptimed'), join(folder, 'uptime'));
  const daemon = run('uptimed', ['quickstart']);
  await daemon.says(/ up +This server answers/);

  const list = run('uptime', ['monitors', 'list']);
  await list.says(/This server answers/);
  expect((await list.ended).code).toBe(0);
  const ping = run('uptime', ['ping', 'nightly-backup']);
  expect((await ping.ended).code).toBe(0);
  await daemon.says(/ up +nightly-backup/);
  await daemon.end('SIGTERM');
});

test('under the name uptime the executable serves MCP', async () => {
  const { folder, env, run } = alone();
  linkSync(join(folder, 'uptimed'), join(folder, 'uptime'));
  const daemon = run('uptimed', ['quickstart']);
  await daemon.says(/ up +This server answers/);
  expect(await askByMcp({ command: join(folder, 'uptime'), args: ['mcp'], cwd: folder, env })).toContain(
    'This server answers',
  );
  await daemon.end('SIGTERM');
});

test('the embedded decoder of the executable decodes brotli', async () => {
  const { folder, run } = alone();
  linkSync(join(folder, 'uptimed'), join(folder, 'uptime'));
  await using target = await httpTarget(compressed('br', 'all is well '.repeat(1000)));
  writeFileSync(
    join(folder, 'monitors.yaml'),
    `monitors:\n  - { name: Page, type: http, url: ${target.url}, bodyContains: all is well all }\n`,
  );
  const tested = run('uptime', ['monitors', 'test', '-f', 'monitors.yaml']);
  await tested.says(/up +Page/);
  expect((await tested.ended).code).toBe(0);
});

test('without a usable temp folder, the executable uses the data folder for temporary files, and removes them', async () => {
  const { folder, run } = alone();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const seen: string[] = [];
  const watcher = watch(dataDir, (_, name) => seen.push(name ?? ''));
  try {
    const daemon = run('uptimed', ['serve', '--data-dir', dataDir], { TMPDIR: '/dev/null' });
    await daemon.says(/"url"/);
    expect(seen).toContainEqual(expect.stringMatching(/^\.uptime-/));
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.uptime-'))).toEqual([]);
  } finally {
    watcher.close();
  }
});

test('four executables that start at the same time do not disturb each other', async () => {
  const { folder, run } = alone();
  const daemons = Array.from({ length: 4 }, (_, n) =>
    run('uptimed', ['serve', '--data-dir', join(folder, `data-${n}`)]),
  );
  await Promise.all(daemons.map((daemon) => daemon.says(/"url"/)));
  for (const daemon of daemons) expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
});

/** Returns a folder that contains only the executable, and an environment with only a home folder and a port. */
function alone() {
  const folder = mkdtempSync(join(place, 'alone-'));
  // A hard link, because a copy of more than 100 MB for each test would take long.
  linkSync(join(place, 'uptimed'), join(folder, 'uptimed'));
  // HOME keeps the developer's own settings out of the test. With port 0, the system picks a free port.
  const env = { PATH: '', HOME: folder, UPTIME_PORT: '0' };
  const run = (name: string, args: string[], more: Record<string, string> = {}) => {
    const program = startProgram(join(folder, name), args, { cwd: folder, env: { ...env, ...more } });
    onTestFinished(() => program.kill());
    return program;
  };
  return { folder, env, run };
}
