import type { Monitor } from '@uptime/sdk';
import type { Server } from '../../connection.ts';
import { type DownTime, readDownTime } from '../../nouns/monitors/read-down-time.ts';
import { type Overview, overviewOf } from './overview.ts';

/**
 * Maximum number of outages whose start and reason are read. Each needs a request, so a larger number would delay the
 * overview.
 */
const maxReasons = 50;
/** Maximum number of requests at once. */
const maxConcurrent = 8;

/** Reads the overview of the monitors that `read` returns, with the start and reason of their outages. */
export async function readOverview(
  read: () => Promise<Monitor[]>,
  { client, signal }: Server,
  now: number,
): Promise<{ monitors: Monitor[]; overview: Overview }> {
  const [monitors, incidents] = await Promise.all([read(), client.incidents.list({}, { signal })]);
  const downTimes = new Map<string, DownTime>();
  const queue = monitors.filter(({ status }) => status === 'down').slice(0, maxReasons);
  const worker = async () => {
    for (let monitor = queue.shift(); monitor; monitor = queue.shift()) {
      const found =
        (await readDownTime(client, monitor.id, { signal })) ??
        (await readDownTime(client, monitor.id, { from: monitor.createdAt.slice(0, 10), signal }));
      if (found) downTimes.set(monitor.id, found);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, queue.length) }, worker));
  return { monitors, overview: overviewOf(monitors, incidents, downTimes, now) };
}
