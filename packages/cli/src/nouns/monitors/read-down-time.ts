import { NotFoundError, type Uptime } from '@uptime/sdk';

/** When and why a monitor went down. */
export interface DownTime {
  /** When the monitor went down, in ISO 8601. */
  since: string;
  /** The error of the check that failed, such as `expected 200-299, got 500`. */
  reason: string;
}

/**
 * Returns when and why a monitor last went down, between `from` (a UTC date, by default 30 days ago) and `until` (epoch
 * milliseconds). Returns null if it did not go down in that time, or if it was deleted.
 */
export async function readDownTime(
  client: Uptime,
  id: string,
  { from, until = Infinity, signal }: { from?: string; until?: number; signal: AbortSignal },
): Promise<DownTime | null> {
  try {
    const events = await client.monitors.events(id, from === undefined ? {} : { from }, { signal });
    const last = events.findLast(({ to, timestamp }) => to === 'down' && Date.parse(timestamp) <= until);
    if (!last) return null;
    const { timestamp: since, error } = last;
    return { since, reason: error ? error.message : 'the server gives no reason' };
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
