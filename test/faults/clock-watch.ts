import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';
import type { DaemonProcess } from './daemon-process.ts';
import { type Pinging, startPinging } from './pinging.ts';
import { until } from './until.ts';

/** Jobs that ping in time, and a target that answers, watched by a daemon whose clock or store misbehaves. */
export interface ClockWatch extends AsyncDisposable {
  /** What was ever said to be down. None of it is true before `silenceIsFound`. */
  falseDowns(): Promise<string[]>;
  /** The longest time between two checks of the target since the last call, in milliseconds. */
  longestGapMs(): number;
  /** A job pings no more: answers how many milliseconds later it was down than its interval and grace period allow. */
  silenceIsFound(): Promise<number>;
}

const jobs = [
  { interval: 1, gracePeriod: 1 },
  { interval: 2, gracePeriod: 0 },
  { interval: 4, gracePeriod: 2 },
];

/** Starts them, and waits until all are up. */
export async function watchClock(daemon: DaemonProcess): Promise<ClockWatch> {
  let lastHit = performance.now();
  let gapMs = 0;
  const target = await httpTarget((_request, response) => {
    gapMs = Math.max(gapMs, performance.now() - lastHit);
    lastHit = performance.now();
    response.end('ok');
  });
  const shop = await daemon.monitor({ type: 'http', name: 'shop', url: target.url, interval: 1 });
  const pinged: { id: string; pinging: Pinging; patienceMs: number }[] = [];
  for (const job of jobs) {
    const { id, pingUrl } = await daemon.monitor({ type: 'heartbeat', name: 'job', ...job });
    const path = new URL(pingUrl).pathname;
    const pinging = startPinging(() => daemon.url() + path, 1.5 / job.interval);
    pinged.push({ id, pinging, patienceMs: (job.interval + job.gracePeriod) * 1000 });
  }
  const ids = [shop.id, ...pinged.map(({ id }) => id)];
  const statusOf = async (id: string) =>
    ((await daemon.request('GET', `/api/monitors/${id}`)).body as { status: string }).status;
  await until('all are up', 10_000, async () => (await Promise.all(ids.map(statusOf))).every((one) => one === 'up'));
  gapMs = 0;

  return {
    async falseDowns() {
      const events = await Promise.all(ids.map((id) => daemon.request('GET', `/api/monitors/${id}/events`)));
      const rows = await Promise.all(ids.map(statusOf));
      return [...events.map(({ body }) => JSON.stringify(body)), ...rows].filter((text) => /down/.test(text));
    },
    longestGapMs() {
      const longest = Math.max(gapMs, performance.now() - lastHit);
      gapMs = 0;
      return longest;
    },
    async silenceIsFound() {
      const { id, pinging, patienceMs } = pinged[0]!;
      await pinging.stop();
      const begun = performance.now();
      await until('its silence is noticed', patienceMs + 5000, async () => (await statusOf(id)) === 'down');
      return performance.now() - begun - patienceMs;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pinged.map(({ pinging }) => pinging.stop()));
      await target.close();
    },
  };
}
