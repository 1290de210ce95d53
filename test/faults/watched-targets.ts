import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  dnsTarget,
  httpTarget,
  makeCertificate,
  type Target,
  tcpTarget,
  tlsTarget,
} from '../../packages/daemon/src/testing/targets/index.ts';
import type { DaemonProcess, NewMonitor } from './daemon-process.ts';
import { type Pinging, punctualMs, startPinging } from './pinging.ts';
import { until } from './until.ts';

/** The interval of every watched monitor, in seconds. */
export const interval = 1;

/** Starts a name server for a daemon. Set the daemon's UPTIME_DNS_SERVERS to the address of this server. */
export const startNames = (port?: number) => dnsTarget({ 'web.test': { A: ['127.0.0.1'] } }, port);

/**
 * Targets and jobs that a daemon watches. There are steady targets of each kind, which always answer, and steady jobs,
 * which ping in time. The failing targets and the failing job stop at the call of `failTargets`.
 */
export interface WatchedTargets extends AsyncDisposable {
  /**
   * Returns steady monitors that were ever reported as down, as `name: error`. Each is a false alarm. Leaves out a job
   * if this machine sent its pings too late, and a target if this process stalled.
   */
  falseDowns(): string[];
  /** Returns the status of every monitor, by name. */
  statuses(): Record<string, string>;
  /** Returns the monitors whose checks fail because of the daemon itself. */
  unobserved(): string[];
  /** Returns the sequence numbers of the steady job's pings in the store. */
  pinged(): Set<number>;
  /** Waits until every steady monitor has been checked or pinged after this call, and is up. */
  waitUntilAllUp(ms: number): Promise<void>;
  /** Makes the failing targets fail: their servers close, and the failing job stops pinging. */
  failTargets(): Promise<void>;
  /** Waits until each failing monitor is down. */
  waitForOutages(ms: number): Promise<void>;
  /** The job that pings ten times a second and does not wait for answers. */
  steady: Pinging;
}

/** Starts the targets and jobs, and waits until all are up. `timeout` is in seconds. */
export async function watchTargets(daemon: DaemonProcess, timeout: number): Promise<WatchedTargets> {
  const { targets, failing: failingTargets, monitors, stalls } = await startTargets();
  const active = { interval, timeout };
  for (const [name, fields] of Object.entries(monitors)) await daemon.monitor({ ...fields, name, ...active });

  const job = async (name: string, gracePeriod = 1) => {
    const { pingUrl } = await daemon.monitor({ name, type: 'heartbeat', interval, gracePeriod });
    return () => daemon.url() + new URL(pingUrl).pathname;
  };
  const steady = startPinging(await job('heartbeat'), 10);
  const failing = startPinging(await job('failing heartbeat'), 10);
  // If a stall of 1.5 s delays an answer, this job pings 2.2 s after its last ping. So its grace period is 2 s.
  const retrying = startRetryingJob(await job(retryingJob, 2));

  const database = daemon.open();
  const { statuses, are, downs, unobserved, pinged, behind } = createQueries(database);
  const jobs: Record<string, { maxLateMs(): number }> = { heartbeat: steady, [retryingJob]: retrying };
  const describeState = () =>
    `${JSON.stringify(statuses())} late: ${behind(Date.now() - 5000).join()}\n${daemon.log().slice(-2000)}`;
  const wait = async (what: string, ms: number, condition: () => boolean) => {
    try {
      await until(what, ms, condition);
    } catch (error) {
      throw new Error(`${(error as Error).message}: ${describeState()}`, { cause: error });
    }
  };

  let ended: Promise<void> | undefined;
  const watched: WatchedTargets = {
    steady,
    statuses,
    falseDowns: () =>
      downs()
        .filter(({ name }) =>
          name in jobs ? jobs[name]!.maxLateMs() < punctualMs : stalls.longestMs() < (timeout * 1000) / 2,
        )
        .map(({ name, error }) => `${name}: ${error}`),
    unobserved,
    pinged,
    async waitUntilAllUp(ms) {
      const since = daemonTime();
      await wait('each steady monitor is checked again', ms, () => behind(since).length === 0);
      await wait('each is up', ms, are('up', isSound));
    },
    async failTargets() {
      // Does not wait for `stop()`: the daemon may not answer the job's last pings before the fault is over.
      ended = failing.stop();
      await Promise.all(failingTargets.map((target) => target.close()));
    },
    waitForOutages: (ms) => wait('each outage is found', ms, are('down', isFailing)),
    async [Symbol.asyncDispose]() {
      await Promise.all([steady.stop(), ended ?? failing.stop(), retrying.stop()]);
      database.close();
      await Promise.all(targets.map((target) => target.close()));
    },
  };
  try {
    await wait('all monitors are up at the start', 60_000, are('up', isAny));
  } catch (error) {
    await watched[Symbol.asyncDispose]();
    throw error;
  }
  return watched;
}

/**
 * Returns a time just before now. Every later check then has a later time, even if the daemon's clock is a little
 * behind the clock of this process.
 */
const daemonTime = () => Date.now() - 10;
const retryingJob = 'heartbeat of a retrying job';
const isAny = () => true;
const isFailing = (name: string) => name.startsWith('failing');
const isSound = (name: string) => !isFailing(name);

/** Starts the targets. Returns the targets, and the monitors by name. `failing` has the targets that will fail. */
async function startTargets() {
  const { cert, key } = await makeCertificate();
  const web = await httpTarget((_request, response) => void setTimeout(() => response.end('ok'), 50));
  const secure = await tlsTarget({ cert, key });
  const port = await tcpTarget();
  const [failingWeb, failingPort] = [await httpTarget(), await tcpTarget()];
  const stalls = watchOwnStalls();
  const targets: Pick<Target, 'close'>[] = [web, secure, port, failingWeb, failingPort, stalls];

  const monitors: Record<string, NewMonitor> = {
    'http by address': { type: 'http', url: web.url },
    'http by name': { type: 'http', url: `http://web.test:${web.port}/`, bodyContains: 'ok' },
    https: { type: 'http', url: secure.url, verifyTls: false },
    tcp: { type: 'tcp', host: '127.0.0.1', port: port.port },
    'tcp by name': { type: 'tcp', host: 'web.test', port: port.port },
    dns: { type: 'dns', hostname: 'web.test', expectedValue: '127.0.0.1' },
    'failing http': { type: 'http', url: failingWeb.url },
    'failing tcp': { type: 'tcp', host: '127.0.0.1', port: failingPort.port },
  };
  return { targets, failing: [failingWeb, failingPort], monitors, stalls };
}

/** Measures the longest stall of this process. During a stall, the targets in this process do not answer. */
function watchOwnStalls() {
  const everyMs = 20;
  let [last, longestMs] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - everyMs);
    last = now;
  }, everyMs);
  return { longestMs: () => longestMs, close: async () => clearInterval(timer) };
}

/** Returns functions that query the daemon's database. */
function createQueries(database: ReturnType<DaemonProcess['open']>) {
  const statuses = () => {
    const rows = database.prepare('select name, status from monitor_state join monitor on seq = monitor').all() as {
      name: string;
      status: string;
    }[];
    return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
  };
  const checkedBefore = database
    .prepare(
      `select name from monitor_state join monitor on seq = monitor
           where name not like 'failing%' and (coalesce((select max(at) from recent_result where recent_result.monitor = seq), last_checked_at, 0) < ?
             or unobserved_since is not null)`,
    )
    .pluck();
  return {
    statuses,
    are: (status: string, some: (name: string) => boolean) => () =>
      Object.entries(statuses()).every(([name, now]) => !some(name) || now === status),
    /** Returns every change of a steady monitor's status to down. */
    downs: () =>
      database
        .prepare(
          `select name, error_code || ' ' || error_message as error from status_change join monitor on seq = monitor
             where to_status = 'down' and name not like 'failing%'`,
        )
        .all() as { name: string; error: string }[],
    unobserved: () =>
      database
        .prepare('select name from monitor_state join monitor on seq = monitor where unobserved_since is not null')
        .pluck()
        .all() as string[],
    pinged: () =>
      new Set(
        database
          .prepare(`select metrics ->> '$.seq' from ping join monitor on seq = monitor where name = 'heartbeat'`)
          .pluck()
          .all() as number[],
      ),
    /**
     * Returns the steady monitors that had no check or ping at `since` or later, or whose checks fail because of the
     * daemon itself.
     */
    behind: (since: number) => checkedBefore.all(since) as string[],
  };
}

/**
 * Starts a job that works like a loop around curl in a shell script. It opens a connection, pings, and waits for the
 * answer. After an answer, it sleeps for a while. Without an answer, it retries soon.
 */
function startRetryingJob(pingUrl: () => string) {
  const ending = new AbortController();
  const { signal } = ending;
  const ping = () =>
    new Promise<boolean>((resolve) => {
      request(pingUrl(), { agent: false, signal }, (response) => {
        response.on('error', () => resolve(false));
        response.resume().on('end', () => resolve(response.statusCode === 200));
      })
        .on('error', () => resolve(false))
        .end();
    });
  let maxLateMs = 0;
  const run = async () => {
    while (!signal.aborted) {
      const well = await ping();
      const due = performance.now() + (well ? 700 : 20);
      await Promise.race([sleep(due - performance.now()), aborted]);
      maxLateMs = Math.max(maxLateMs, performance.now() - due);
    }
  };
  const aborted = once(signal, 'abort');
  const ended = run();
  return {
    /** The longest time from the moment when a ping was due until it was sent. On a busy machine, pings are late. */
    maxLateMs: () => maxLateMs,
    stop() {
      ending.abort();
      return ended;
    },
  };
}
