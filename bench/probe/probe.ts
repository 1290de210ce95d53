import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMicrosOfTree } from '../growth/system-figures.ts';
import { startWatched, type WatchedProcess } from '../growth/watched-process.ts';
import { type Measurement, report } from '../measurement.ts';

const monitors = 2000;
const intervalSeconds = 60;
const perSecond = monitors / intervalSeconds;
/** Longer than an interval, so that the probe has checked every monitor once before the measurement. */
const warmSeconds = 70;
const seconds = 60;
/** The target waits for up to this time before it answers. So checks that begin together do not end together. */
const spreadMs = 500;
const nodeFlags = ['--conditions=x-source'];

/**
 * Measures processor time and memory of a probe with 2,000 monitors every 60 s. Subtracts what bare requests at the
 * same rate need.
 */
export async function benchProbe(): Promise<Measurement[]> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const script = fileURLToPath(new URL('../../scripts/build/test-programs.mjs', import.meta.url));
  if (spawnSync(process.execPath, [script, folder], { stdio: 'inherit' }).status !== 0)
    throw new Error('The program could not be built.');
  const start = (args: readonly string[], env?: Record<string, string>) => {
    const started = startWatched(args, env, { isWatched: false });
    opened.defer(() => started.end('SIGKILL'));
    return started;
  };
  const growth = (file: string) => join(import.meta.dirname, '../growth', file);
  const target = start([growth('target.ts'), '0', String(spreadMs)]);
  const url = `http://127.0.0.1:${await target.message<number>('port')}`;
  const bare = start([...nodeFlags, growth('bare-requests.ts')]);
  await bare.message('ready');
  const fake = join(import.meta.dirname, 'fake-server.ts');
  const server = start([...nodeFlags, fake, url, String(monitors), String(intervalSeconds)]);
  const site = `http://127.0.0.1:${await server.message<number>('port')}`;
  const probe = start([join(folder, 'uptimed.js'), 'probe', '--join', site, '--data-dir', join(folder, 'data')], {
    UPTIME_PROBE_TOKEN: `uprobe_${'0'.repeat(64)}`,
  });
  await probe.says('"message":"the server answers"');
  await sleep(warmSeconds * 1000);
  // The probe and the bare requests are measured at the same time, so that the load of the machine affects both.
  const [own, bareUsage] = await Promise.all([
    during(probe, async () => {
      const before = await takenBy(server);
      await sleep(seconds * 1000);
      return (await takenBy(server)) - before;
    }),
    during(bare, () => {
      const sent = bare.message<number>('sent');
      bare.send({ url: `${url}/0`, perSecond, seconds });
      return sent;
    }),
  ]);
  const [ownBytes, bareBytes] = [residentBytes(probe.pid), residentBytes(bare.pid)];
  await probe.end('SIGTERM');
  const detail = `${own.units} results in ${seconds} s: ${own.percent.toFixed(2)} % against ${bareUsage.percent.toFixed(2)} % for ${bareUsage.units} bare requests`;
  return [
    {
      name: 'CPU of a probe with 2,000 monitors every 60 s, beyond bare requests',
      value: own.percent - bareUsage.percent,
      unit: '% of a core',
      bar: { maxValue: 3 },
      detail,
    },
    {
      name: 'memory of that probe, beyond that of bare requests',
      value: (ownBytes - bareBytes) / 1e6,
      unit: 'MB',
      bar: { maxValue: 100 },
      detail: `resident set: ${(ownBytes / 1e6).toFixed(0)} MB against ${(bareBytes / 1e6).toFixed(0)} MB`,
    },
  ];
}

/**
 * Returns the processor time of a process during `work`, in percent of a core. The measurement costs the process
 * nothing.
 */
async function during({ pid }: WatchedProcess, work: () => Promise<number>) {
  const from = cpuMicrosOfTree(pid) ?? 0;
  const begun = performance.now();
  const units = await work();
  const took = performance.now() - begun;
  return { units, percent: (((cpuMicrosOfTree(pid) ?? 0) - from) / 1000 / took) * 100 };
}

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

const takenBy = (server: WatchedProcess): Promise<number> => {
  const taken = server.message<number>('taken');
  server.send('taken');
  return taken;
};

if (import.meta.main) report(await benchProbe());
