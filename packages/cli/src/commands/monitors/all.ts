import type { Monitor, Uptime } from '@uptime/sdk';

/** Every monitor of the project, in pages as large as they come; any error is thrown, so that what was not read is never taken for absent. */
export async function allMonitors(client: Uptime, signal: AbortSignal): Promise<Monitor[]> {
  const monitors: Monitor[] = [];
  for await (const monitor of client.monitors.iterate({ limit: 1000 }, { signal })) monitors.push(monitor);
  return monitors;
}
