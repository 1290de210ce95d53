import type { Incident, IncidentInput, Uptime } from '@uptime/sdk';

/**
 * If the server's clock seems ahead of ours by at most this much, the window stays as it is. A slow request would look
 * the same as such a difference.
 */
const clockToleranceMs = 5000;

/**
 * Creates a window that is in force from now on, for `length` milliseconds. The server's clock decides: if our clock
 * differs, the window is moved, so that it starts at once and has the right length.
 */
export async function openWindow(client: Uptime, input: IncidentInput, length: number, now: number): Promise<Incident> {
  const from = (start: number) => ({
    scheduledStart: new Date(start).toISOString(),
    scheduledEnd: new Date(start + length).toISOString(),
  });
  const window = await client.incidents.create({ ...input, maintenance: true, ...from(now) });
  const created = Date.parse(window.createdAt);
  if (created >= now && created - now <= clockToleranceMs) return window;
  // If our clock is behind, the window may lie in the past and be resolved already.
  return client.incidents.update(window.id, { ...from(created), status: 'identified' });
}
