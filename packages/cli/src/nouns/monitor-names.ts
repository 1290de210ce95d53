import type { Uptime } from '@uptime/sdk';

/** Returns a function that turns a monitor's id into its key, or its name. */
export async function readMonitorNames(client: Uptime, signal: AbortSignal): Promise<(id: string) => string> {
  const monitors = await client.monitors.list({}, { signal });
  const names = new Map(monitors.map(({ id, key, name }) => [id, key ?? name]));
  return (id) => names.get(id) ?? id;
}

/** Lists the first names, and says how many more there are. */
export function fewNames(names: readonly string[]): string {
  const most = 3;
  if (names.length === 0) return '-';
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).join(', ') + more;
}
