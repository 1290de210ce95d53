import type { Incident, IncidentInput, Uptime } from '@uptime/sdk';

/** Milliseconds by which a server's clock may be ahead of ours before it counts; a slow request looks the same. */
const tolerance = 5000;

/**
 * Makes a window that is in force from now on, for so many milliseconds. The server's clock counts: where ours differs,
 * the window is moved to it, so that none begins late and each is as long as it was asked to be.
 */
export async function openWindow(client: Uptime, input: IncidentInput, length: number, now: number): Promise<Incident> {
  const from = (start: number) => ({
    scheduledStart: new Date(start).toISOString(),
    scheduledEnd: new Date(start + length).toISOString(),
  });
  const made = await client.incidents.create({ ...input, maintenance: true, ...from(now) });
  const created = Date.parse(made.createdAt);
  if (created >= now && created - now <= tolerance) return made;
  // One that our clock had put into the past has resolved itself already.
  return client.incidents.update(made.id, { ...from(created), status: 'identified' });
}
