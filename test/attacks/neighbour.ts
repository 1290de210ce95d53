import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { alertReceiver } from '../faults/alert-receiver.ts';
import { type DaemonProcess, type NewMonitor, startDaemonProcess } from '../faults/daemon-process.ts';
import { until } from '../faults/until.ts';
import type { AttackName } from './attacks.ts';

/** The daemon may have this many open files and sockets, and use this much memory, in bytes. */
const openFiles = 4096;
const maxMemory = 1024 * 1024 * 1024;
const pingsPerSecond = 20;
const intervalMs = 5000;
const alertWithinMs = 2000;
/** A ping that gets no answer for this long has failed. The command line waits equally long. */
const answerWithinMs = 10_000;

/** The harm that an attack does to a neighbour: another project on the attacked server. */
export interface Cost {
  calmP99Ms: number;
  p99Ms: number;
  /** The longest time between two checks, minus the interval. */
  lateMs: number;
  /** The time from the start of the neighbour's outage to its alert. */
  alertDelayMs: number;
  /** The longest processor time of one turn of the event loop. */
  longestTurnMs: number;
  /**
   * Time for which the daemon was ready to run, but other processes, such as the attackers, used the processors. If it
   * is a large part of the attack's duration, the other times say more about the machine than about the daemon.
   */
  waitedForProcessorMs: number;
  memoryMb: number;
  pings: number;
  /** Pings that got no answer, or an answer other than 200. */
  failed: readonly string[];
}

/**
 * Runs these attacks together on one daemon, for this many seconds. During the attacks, another project sends pings,
 * its target is checked, and at the end this target fails. Asserts the limits of the harm to this project. Returns the
 * harm.
 */
export async function measureHarm(names: readonly AttackName[], seconds: number): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-attack-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const loopFile = join(folder, 'loop');
  const preload = pathToFileURL(join(import.meta.dirname, 'loop-watch.ts')).href;
  const env = {
    UPTIME_TEST_LOOP_FILE: loopFile,
    NODE_OPTIONS: `--import=${preload} ${process.env['NODE_OPTIONS'] ?? ''}`,
    UPTIME_RATE_LIMIT: 'on',
  };
  const daemon = cleanUp.use(await startDaemonProcess({ openFiles, env }));
  try {
    return await measure(daemon, names, { seconds, loopFile });
  } catch (error) {
    // If the daemon ended, its connections close before this process receives the exit event. So wait for the event.
    await sleep(1000);
    const state = daemon.exited() ? `The daemon ended (${daemon.exitedWith()})` : 'The daemon still runs';
    throw new Error(`${String(error)}\n${state}. The end of its log:\n${daemon.log().slice(-4000)}`, { cause: error });
  }
}

async function measure(
  daemon: DaemonProcess,
  names: readonly AttackName[],
  { seconds, loopFile }: { seconds: number; loopFile: string },
): Promise<Cost> {
  await using cleanUp = new AsyncDisposableStack();
  const neighbour = cleanUp.use(await watchNeighbour(daemon));

  const calm = await neighbour.ping(4);
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'), [daemon.url(), ...names], {
    execArgv: ['--conditions=x-source'],
  });
  const died = once(attacker, 'exit');
  cleanUp.defer(async () => {
    attacker.kill('SIGKILL');
    await died;
  });
  await Promise.race([once(attacker, 'message'), died.then(() => Promise.reject(new Error('The attacker ended.')))]);
  daemon.signal('SIGUSR2');
  attacker.send('go');
  neighbour.forgetGaps();
  using memory = watchMemory(daemon);
  const waitedBefore = waitedForProcessorMs(daemon);
  const times = await neighbour.ping(seconds);
  const lateMs = neighbour.longestGapMs() - intervalMs;
  const waitedMs = waitedForProcessorMs(daemon) - waitedBefore;
  const alertDelayMs = await neighbour.causeOutage();
  const cost: Cost = {
    calmP99Ms: percentile(calm, 0.99),
    p99Ms: percentile(times, 0.99),
    lateMs,
    alertDelayMs,
    longestTurnMs: Number(await readFile(loopFile, 'utf8')),
    waitedForProcessorMs: waitedMs,
    memoryMb: memory.largest() / 1024 / 1024,
    pings: times.length,
    failed: neighbour.failures(),
  };
  expect(daemon.exited(), daemon.log().slice(-2000)).toBe(false);
  expect(neighbour.lost(daemon), 'acknowledged pings that the store does not have').toEqual([]);
  expect(neighbour.falseAlarms(), 'false alarms').toEqual([]);
  expect(lateMs, JSON.stringify(cost)).toBeLessThan(intervalMs);
  expect(alertDelayMs, JSON.stringify(cost)).toBeLessThan(intervalMs + alertWithinMs);
  expect(cost.memoryMb, JSON.stringify(cost)).toBeLessThan(maxMemory / 1024 / 1024);
  return cost;
}

/** Creates the project that must not be harmed: a page that is checked, a job that pings, and a channel. */
async function watchNeighbour(daemon: DaemonProcess) {
  await using started = new AsyncDisposableStack();
  let failing = false;
  let lastHit = performance.now();
  let gapMs = 0;
  const target = await httpTarget((_, response) => {
    gapMs = Math.max(gapMs, performance.now() - lastHit);
    lastHit = performance.now();
    response.writeHead(failing ? 500 : 200).end();
  });
  started.defer(() => target.close());
  const receiver = started.use(await alertReceiver('alarms'));
  const fields: NewMonitor = { type: 'http', name: 'shop', url: target.url, interval: intervalMs / 1000, timeout: 5 };
  const { id } = await daemon.monitor(fields);
  const job = await daemon.monitor({ type: 'heartbeat', name: 'job', interval: 60 });
  const channel = await daemon.request('POST', '/api/notification-channels', receiver.channel);
  await daemon.request('POST', '/api/alert-rules', {
    name: 'all',
    trigger: 'monitor_down',
    monitorIds: [id, job.id],
    channelIds: [(channel.body as { id: string }).id],
  });
  await until('the neighbour is checked', 10_000, () => gapMs > 0);
  const agent = new Agent({ keepAlive: true });
  started.defer(async () => agent.destroy());
  const acknowledged: number[] = [];
  const failures: string[] = [];
  let sequence = 0;
  const kept = started.move();
  return {
    /** Sends pings for this many seconds. Returns how long each ping took, in milliseconds. */
    async ping(seconds: number): Promise<number[]> {
      const underWay: Promise<number>[] = [];
      const begun = performance.now();
      while (performance.now() - begun < seconds * 1000) {
        const sentAtMs = performance.now() - begun;
        const failed = (error: Error) => failures.push(`${error.message} after ${sentAtMs.toFixed()} ms`);
        underWay.push(pingOnce(job.pingUrl, sequence++, { agent, acknowledged, failed }));
        await sleep(1000 / pingsPerSecond);
      }
      return Promise.all(underWay);
    },
    forgetGaps() {
      gapMs = 0;
    },
    longestGapMs: () => Math.max(gapMs, performance.now() - lastHit),
    async causeOutage(): Promise<number> {
      failing = true;
      const since = performance.now();
      await until('the outage is reported', 60_000, () => receiver.received.length > 0);
      return performance.now() - since;
    },
    failures: () => failures,
    falseAlarms: () => receiver.received.filter(({ monitor }) => monitor === 'job'),
    lost: (of: DaemonProcess) => lostPings(of, acknowledged),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Returns the acknowledged pings that are not in the store. */
function lostPings(of: DaemonProcess, acknowledged: readonly number[]): number[] {
  const database = of.open();
  const stored = new Set(database.prepare(`select metrics ->> '$.seq' from ping`).pluck().all() as number[]);
  database.close();
  return acknowledged.filter((seq) => !stored.has(seq));
}

interface PingOnce {
  agent: Agent;
  acknowledged: number[];
  failed: (error: Error) => void;
}

function pingOnce(url: string, seq: number, { agent, acknowledged, failed }: PingOnce) {
  return new Promise<number>((resolve) => {
    const from = performance.now();
    const headers = { 'content-type': 'application/json' };
    const end = (error?: Error) => {
      if (error) failed(error);
      else acknowledged.push(seq);
      resolve(performance.now() - from);
    };
    request(url, { method: 'POST', agent, headers, signal: AbortSignal.timeout(answerWithinMs) }, (answer) => {
      const { statusCode } = answer;
      answer.resume().on('end', () => end(statusCode === 200 ? undefined : new Error(`The answer was ${statusCode}`)));
      answer.on('error', end);
    })
      .on('error', end)
      .end(JSON.stringify({ seq }));
  });
}

/** Watches the resident memory of a process, in bytes, as Linux reports it. */
function watchMemory(daemon: DaemonProcess) {
  let largest = 0;
  const look = () => {
    if (daemon.exited()) return;
    const pages = readFileSync(`/proc/${daemon.pid()}/statm`, 'utf8').split(' ')[1];
    largest = Math.max(largest, Number(pages) * 4096);
  };
  const timer = setInterval(look, 200);
  return {
    largest() {
      look();
      return largest;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Returns for how long the daemon's main thread has waited for a processor since its start. Linux counts in ns. */
const waitedForProcessorMs = (daemon: DaemonProcess): number =>
  Number(readFileSync(`/proc/${daemon.pid()}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!;
