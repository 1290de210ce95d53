import type { Monitor, Uptime } from '@uptime/sdk';

/** Reads every monitor of the project, or throws: it never returns only a part. */
export async function allMonitors(client: Uptime, signal: AbortSignal): Promise<Monitor[]> {
  const monitors: Monitor[] = [];
  for await (const monitor of client.monitors.iterate({ limit: 1000 }, { signal })) monitors.push(monitor);
  return monitors;
}
