import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readConfig, startDaemon } from '../packages/daemon/src/daemon.ts';
import { type Measurement, median } from './measurement.ts';

const rounds = 5;
const people = 30;
const password = 'correct horse';

if (process.argv[2] === 'daemon') await serveDaemon();

/**
 * Measures how long 30 simultaneous sign-ins block the daemon's event loop. The daemon hashes passwords in other
 * threads, so the loop should hardly be blocked.
 */
export async function benchAccounts(): Promise<Measurement[]> {
  const daemon = fork(import.meta.filename, ['daemon']);
  try {
    const [url] = (await once(daemon, 'message')) as [string];
    const signIn = async (n: number, kind = 'sign-in') => {
      const answer = await fetch(`${url}/api/auth/${kind}/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...(kind === 'sign-up' && { name: 'x' }), email: `person-${n}@example.com`, password }),
      });
      if (answer.status !== 200) throw new Error(`A ${kind} returned ${answer.status}.`);
      await answer.arrayBuffer();
    };
    for (let n = 0; n < people; n++) await signIn(n, 'sign-up');
    const all = () => Promise.all(Array.from({ length: people }, (_, n) => signIn(n)));
    await all();
    const delays: number[] = [];
    const tookMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await ask(daemon, 'begin');
      const from = performance.now();
      await all();
      tookMs.push(performance.now() - from);
      delays.push(await ask(daemon, 'end'));
    }
    return [
      {
        name: 'event-loop delay, p99, while 30 sign in at once',
        value: median(delays),
        unit: 'ms',
        bar: { maxValue: 50 },
        detail: `all signed in within ${median(tookMs).toFixed(0)} ms`,
      },
    ];
  } finally {
    const ended = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    await ended;
  }
}

/** Sends a message to the daemon and waits for its answer. */
async function ask(child: ChildProcess, message: string): Promise<number> {
  const answered = once(child, 'message');
  child.send(message);
  const [answer] = (await answered) as [number];
  return answer;
}

async function serveDaemon(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptime-bench-'));
  const daemon = await startDaemon(
    readConfig({
      env: { UPTIME_PORT: '0', UPTIME_DATA_DIR: dataDir, UPTIME_LOG_LEVEL: 'warn', UPTIME_RATE_LIMIT: 'off' },
    }),
  );
  const resolution = 1;
  const delay = monitorEventLoopDelay({ resolution });
  process.on('message', (message) => {
    if (message === 'begin') {
      delay.reset();
      delay.enable();
      process.send?.(0);
      return;
    }
    delay.disable();
    // Each value of the histogram includes the period of the histogram's own timer. This period is subtracted.
    process.send?.(Math.max(0, delay.percentile(99) / 1e6 - resolution));
  });
  process.once('SIGTERM', () => {
    const end = async () => {
      await daemon.close();
      await rm(dataDir, { recursive: true });
      process.exit();
    };
    void end();
  });
  process.send?.(daemon.localUrl);
}

if (import.meta.main && process.argv[2] === undefined) console.table(await benchAccounts());
