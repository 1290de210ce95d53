import { NotFoundError, type Uptime } from '@uptime/sdk';

/** A time in which a monitor was down: since when, and why. */
export interface DownTime {
  /** ISO 8601. */
  since: string;
  /** What the failed check met, such as `expected 200-299, got 500`. */
  reason: string;
}

/**
 * The last time that a monitor went down, at or before `until` (epoch milliseconds), since `from` (a UTC date; 30 days ago where it is left out).
 * Null where there is none, and for a monitor that was deleted.
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
    return { since, reason: error ? error.message : 'the server does not say why' };
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
