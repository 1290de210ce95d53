import { type Monitor, NotFoundError } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import type { Server } from '../../connection.ts';
import { lookOptions } from '../wait/read-again.ts';

/** Maximum number of monitors in one refresh of response times. Each monitor needs a request. */
const maxReads = 4;
/**
 * Maximum number of results that one read may return. The API can only return whole days of results. So a monitor with
 * more results today is not read.
 */
const maxResults = 3000;
/** If a monitor has n results today, two reads of it are at least n times this many milliseconds apart. */
const msPerResult = 100;
/** Maximum number of results that are kept for each monitor. A sparkline shows fewer. */
const maxKept = 60;
const dayMs = 86_400_000;

export interface Trends {
  /** Response times for each monitor id, oldest first; null for a failed check. */
  times: ReadonlyMap<string, readonly (number | null)[]>;
  /**
   * Reads response times of monitors that were checked since their last read. Begins with the monitors whose last read
   * is oldest.
   */
  read: (visible: readonly Monitor[], server: Server, now: number) => Promise<void>;
}

/** Creates a store for the response times of monitors that are on the screen. */
export function createTrends(): Trends {
  const times = new Map<string, (number | null)[]>();
  const reads = new Map<string, { checkedAt: string; at: number }>();
  return {
    times,
    async read(visible, { client, signal }, now) {
      const due = visible
        .filter((monitor) => isDue(monitor, reads.get(monitor.id), now))
        .toSorted((a, b) => (reads.get(a.id)?.at ?? 0) - (reads.get(b.id)?.at ?? 0))
        .slice(0, maxReads);
      const query = { from: new Date(now).toISOString().slice(0, 10) };
      await Promise.all(
        due.map(async ({ id, lastCheckedAt }) => {
          try {
            const results = await client.monitors.responseTimes(id, query, { signal, ...lookOptions });
            const last = results.slice(-maxKept);
            times.set(
              id,
              last.map(({ responseTime, status }) => (status === 'down' ? null : responseTime)),
            );
          } catch (error) {
            // The monitor was deleted after the list of monitors was read, so there is nothing to show.
            if (!(error instanceof NotFoundError)) throw error;
          }
          reads.set(id, { checkedAt: lastCheckedAt ?? '', at: now });
        }),
      );
    },
  };
}

/**
 * Whether a monitor has new results, and its last read was long enough ago. The more results a read returns, the longer
 * the time between reads.
 */
function isDue(monitor: Monitor, last: { checkedAt: string; at: number } | undefined, now: number): boolean {
  if (isPassive(monitor) || monitor.lastCheckedAt === null) return false;
  if (monitor.lastCheckedAt === last?.checkedAt) return false;
  const results = resultsToday(monitor, now);
  return results <= maxResults && (last === undefined || now - last.at >= results * msPerResult);
}

/** Estimates how many results a monitor has since midnight (UTC), or since its creation if that was today. */
function resultsToday({ interval, createdAt, ...monitor }: Monitor, now: number): number {
  const since = Math.max(Math.floor(now / dayMs) * dayMs, Date.parse(createdAt));
  const regions = 'regions' in monitor ? monitor.regions.length || 1 : 1;
  return (Math.max(0, now - since) / 1000 / interval) * regions;
}
