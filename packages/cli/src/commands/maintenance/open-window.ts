import type { Incident, IncidentInput, Uptime } from '@uptime/sdk';

/**
 * If the server's clock seems at most this much ahead of this machine's clock, `openWindow` does not correct the times
 * of the window. A slow request also makes the server's clock seem ahead, so such a small difference is not reliable.
 */
const clockToleranceMs = 5000;

/**
 * Creates a maintenance window that is in force from now on, for `length` milliseconds by the server's clock. If this
 * machine's clock differs from that clock, the window is moved, so that it starts at once and has the right length.
 */
export async function openWindow(client: Uptime, input: IncidentInput, length: number, now: number): Promise<Incident> {
  const from = (start: number) => ({
    scheduledStart: new Date(start).toISOString(),
    scheduledEnd: new Date(start + length).toISOString(),
  });
  const window = await client.incidents.create({ ...input, maintenance: true, ...from(now) });
  const created = Date.parse(window.createdAt);
  if (created >= now && created - now <= clockToleranceMs) return window;
  // If this machine's clock is behind, the new window may be in the past, and the server may have resolved it already.
  return client.incidents.update(window.id, { ...from(created), status: 'identified' });
}
