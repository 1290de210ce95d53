import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startWatched, type WatchedProcess } from './growth/watched-process.ts';
import { type Measurement, median, report } from './measurement.ts';

const rounds = 15;
/** After this time, the server no longer holds memory that only its start needed. */
const idleMs = 12_000;

const bareServer = `require('node:http').createServer((_, response) => response.end('ok'))
  .listen(0, '127.0.0.1', () => console.error('{"message":"serving"}'))`;

/**
 * Measures how long the server takes from its start until it serves, compared with a bare `node:http` server. Also
 * measures the memory of both servers when they are idle. Migrations run only in the first round, which is not
 * measured.
 */
export async function benchStart(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const starts = {
    bare: () => startWatched(['--eval', bareServer], {}, { isWatched: false }),
    server: () => startServer(join(folder, 'data')),
  };
  try {
    buildExecutable();
    const took = { bare: [] as number[], server: [] as number[] };
    // The first round fills the file cache of the system, and runs the migrations. Its times are not used.
    for (let round = 0; round <= rounds; round++) {
      const one = { bare: await msUntilServing(starts.bare), server: await msUntilServing(starts.server) };
      if (round === 0) continue;
      took.bare.push(one.bare);
      took.server.push(one.server);
    }
    const ms = (what: keyof typeof took) => `${median(took[what]).toFixed(0)} ms`;
    return [
      {
        name: 'start of the server',
        value: median(took.bare.map((bare, round) => took.server[round]! / bare)),
        unit: '× a bare server',
        bar: { maxValue: 3.5 },
        detail: `${ms('server')} against ${ms('bare')}`,
      },
      ...(await idleMemory(starts.server(), starts.bare())),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const startServer = (dataDir: string): WatchedProcess =>
  startWatched(
    ['serve'],
    { UPTIME_PORT: '0', UPTIME_HOST: '127.0.0.1', UPTIME_DATA_DIR: dataDir },
    { isWatched: false, program: inProject('dist/uptimed') },
  );

const inProject = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Builds the single executable. It contains compiled code, so it starts faster than the program in Node. */
function buildExecutable(): void {
  const { status } = spawnSync(process.execPath, [inProject('scripts/build-binary.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The executable could not be built.');
  // Linux caches a newly written file in large pieces. So it would map 45 MB more of the file into the process than
  // after a restart of the machine. Like a restart, the command below removes the file from the cache.
  const forget = ['oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'];
  if (process.platform === 'linux')
    spawnSync('dd', [`of=${inProject('dist/uptimed')}`, ...forget], { stdio: 'inherit' });
}

async function msUntilServing(begin: () => WatchedProcess): Promise<number> {
  const from = performance.now();
  const started = begin();
  await started.says('"message":"serving"');
  const took = performance.now() - from;
  await started.end('SIGTERM');
  return took;
}

/** Returns the resident memory of both processes; empty outside of Linux. */
async function idleMemory(server: WatchedProcess, bare: WatchedProcess): Promise<Measurement[]> {
  await Promise.all([server.says('"message":"serving"'), bare.says('"message":"serving"')]);
  await sleep(idleMs);
  const used = existsSync('/proc/self/status') ? { server: memoryOf(server.pid), bare: memoryOf(bare.pid) } : null;
  await Promise.all([server.end('SIGTERM'), bare.end('SIGTERM')]);
  if (used === null) return [];
  const words = ({ total, anonymous, file }: ReturnType<typeof memoryOf>) =>
    `${total.toFixed(0)} MB (${anonymous.toFixed(0)} of its own, ${file.toFixed(0)} of mapped files)`;
  return [
    {
      name: 'memory of an idle server',
      value: used.server.total,
      unit: 'MB RSS',
      bar: { maxValue: 100 },
      detail: `${words(used.server)} against ${words(used.bare)}`,
    },
  ];
}

/** Returns the resident memory of a process, in megabytes. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1000;
  return { total: of('VmRSS'), anonymous: of('RssAnon'), file: of('RssFile') };
}

if (import.meta.main) report(await benchStart());
