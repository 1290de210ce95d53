import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import { alertReceiver } from './alert-receiver.ts';
import { type Pinging, punctualMs, startPinging } from './pinging.ts';
import { until } from './until.ts';

/** A daemon whose clock is wrong, or whose database stalls. */
export interface WatchedDaemon {
  url(): string;
  /** Sends a request with the project's key. */
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

/** Jobs that ping in time and targets that answer, both watched by a {@link WatchedDaemon}. */
export interface ClockWatch extends AsyncDisposable {
  /**
   * Returns the targets and jobs that the history, the status or an alert showed as down, although they were up. Leaves
   * out a job if this machine sent its pings too late.
   */
  falseDowns(): Promise<string[]>;
  /** Returns the longest time, since the last call, between two checks of the target that stays up. */
  longestGapMs(): number;
  /** Ends the measurement of the current gap and begins a new one. Call it after a time without checks. */
  restartGap(): void;
  /**
   * Makes a target return 500, and a job stop pinging. Waits for both alerts. Returns how many milliseconds each alert
   * came after its limit: the interval of the target, or the interval and grace period of the job.
   */
  causeOutage(): Promise<{ target: number; job: number }>;
}

const jobs = [
  { interval: 1, gracePeriod: 1 },
  { interval: 2, gracePeriod: 0 },
  { interval: 4, gracePeriod: 2 },
];
/** Pairs of a target and a job that will fail: one pair for each outage that a test causes. */
const doomedPairs = 2;
const alarmTimeoutMs = 60_000;
const pingsPerInterval = 1.5;

/** Starts the jobs and targets, and waits until all their monitors are up. */
export async function watchClock(daemon: WatchedDaemon): Promise<ClockWatch> {
  await using started = new AsyncDisposableStack();
  const gaps = createGaps();
  const failing = new Set<string>();
  const target = await httpTarget((request, response) => {
    if (request.url === '/good') gaps.hit();
    response.writeHead(failing.has(request.url ?? '') ? 500 : 200).end();
  });
  started.defer(() => target.close());
  const receiver = started.use(await alertReceiver('alarms'));

  const { sound, doomed, create } = await createMonitors(daemon, target.url, started);
  const ids = [...sound, ...doomed.flatMap((pair) => [pair.target, pair.job])].map(({ id }) => id);
  const { id: channel } = await create('/api/notification-channels', receiver.channel);
  const rule = { name: 'all', consecutiveFailures: 1, trigger: 'monitor_down' };
  await create('/api/alert-rules', { ...rule, monitorIds: ids, channelIds: [channel] });
  const statusOf = async (id: string) =>
    ((await daemon.request('GET', `/api/monitors/${id}`)).body as { status: string }).status;
  for (const id of ids) await until('all are up', 20_000, async () => (await statusOf(id)) === 'up');
  gaps.restart();

  const alertDelayMs = async (monitor: string, since: number, allowedMs: number) => {
    await until(`the alarm of ${monitor} arrives`, alarmTimeoutMs, () =>
      receiver.received.some((one) => one.monitor === monitor && one.event === 'monitor_down'),
    );
    return performance.now() - since - allowedMs;
  };
  const kept = started.move();
  return {
    async falseDowns() {
      const up = sound.filter(({ pinging }) => !pinging || pinging.maxLateMs() < punctualMs);
      const events = await Promise.all(up.map(({ id }) => daemon.request('GET', `/api/monitors/${id}/events`)));
      const rows = await Promise.all(up.map(({ id }) => statusOf(id)));
      const names = new Set(up.map(({ name }) => name));
      const alarms = receiver.received.filter(({ monitor }) => names.has(monitor)).map((one) => JSON.stringify(one));
      return [
        ...alarms,
        ...[...events.map(({ body }) => JSON.stringify(body)), ...rows].filter((one) => /down/.test(one)),
      ];
    },
    longestGapMs: () => gaps.maxMs(),
    restartGap: () => gaps.restart(),
    async causeOutage() {
      const pair = doomed.shift();
      if (!pair) throw new Error('Every pair of a target and a job has failed already. Raise doomedPairs.');
      const since = performance.now();
      failing.add(`/${pair.target.name}`);
      const silent = pair.job.pinging.stop();
      const [{ interval, gracePeriod }] = [jobs[0]!];
      const [target, job] = await Promise.all([
        alertDelayMs(pair.target.name, since, 1000),
        alertDelayMs(pair.job.name, since, (interval + gracePeriod) * 1000),
      ]);
      await silent;
      return { target, job };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface CreatedMonitor {
  id: string;
  name: string;
  pingUrl?: string;
}

/**
 * Creates the monitors that stay up, and the pairs of monitors that will fail. Returns them, and a function that
 * creates other resources.
 */
async function createMonitors(daemon: WatchedDaemon, targetUrl: string, started: AsyncDisposableStack) {
  const create = async (path: string, input: object) => {
    const { status, body } = await daemon.request('POST', path, input);
    if (status !== 201) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
    return body as CreatedMonitor;
  };
  const watchTarget = (name: string) =>
    create('/api/monitors', { type: 'http', name, url: `${targetUrl}/${name}`, interval: 1 });
  const watchJob = async (name: string, job: { interval: number; gracePeriod: number }) => {
    const monitor = await create('/api/monitors', { type: 'heartbeat', name, ...job });
    const path = new URL(monitor.pingUrl!).pathname;
    // A ping that a restarting daemon did not get is sent again. Otherwise the daemon would rightly find the job
    // silent.
    const how = { plain: true, retries: true };
    const pinging = startPinging(() => daemon.url() + path, pingsPerInterval / job.interval, how);
    started.defer(() => pinging.stop());
    return { ...monitor, pinging };
  };
  const sound: (CreatedMonitor & { pinging?: Pinging })[] = [await watchTarget('good')];
  for (const [at, job] of jobs.entries()) sound.push(await watchJob(`job ${at}`, job));
  const doomed: { target: CreatedMonitor; job: CreatedMonitor & { pinging: Pinging } }[] = [];
  for (let pair = 0; pair < doomedPairs; pair++) {
    doomed.push({ target: await watchTarget(`doomed${pair}`), job: await watchJob(`doomed job ${pair}`, jobs[0]!) });
  }
  return { sound, doomed, create };
}

/** Measures the times between requests to the target that stays up. */
function createGaps() {
  let lastHit = performance.now();
  let gapMs = 0;
  const hit = () => {
    gapMs = Math.max(gapMs, performance.now() - lastHit);
    lastHit = performance.now();
  };
  return {
    hit,
    /**
     * Returns the longest time between two requests since the last call of `maxMs`. If more time has passed since the
     * latest request, returns that time.
     */
    maxMs() {
      const found = Math.max(gapMs, performance.now() - lastHit);
      gapMs = 0;
      return found;
    },
    restart() {
      gapMs = 0;
      lastHit = performance.now();
    },
  };
}
