import type { Monitor } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import type { Connection } from '../connection.ts';
import { noRegionReason, readRegions, unservedReason } from './regions.ts';
import { plain } from '../output.ts';

type Server = Pick<Connection, 'client' | 'signal' | 'io'>;

/**
 * Warns on standard error about the monitor's regions that no daemon or probe serves. If the monitor names no regions,
 * warns if no region is served at all. A monitor that only waits for pings needs no region.
 */
export async function sayUnservedRegions(monitor: Monitor, { client, signal, io }: Server): Promise<void> {
  const serverRegions = isPassive(monitor) ? null : await readRegions(client, signal);
  if (serverRegions === null) return;
  const named = monitor.regions ?? [];
  const reasons =
    named.length === 0
      ? [noRegionReason(serverRegions)]
      : named.map((region) => unservedReason(region, serverRegions, Date.now()));
  for (const reason of reasons) if (reason !== null) io.say(`${io.err.yellow('warning:')} ${reason}`);
}

/**
 * Warns on standard error that no rule watches the new monitor yet, and about its regions that no daemon or probe
 * serves.
 */
export async function sayNewGaps(monitor: Monitor, server: Server): Promise<void> {
  const { key, name } = monitor;
  const { io } = server;
  await sayUnservedRegions(monitor, server);
  const warning = io.err.yellow('warning:');
  const word = plain(key ?? name);
  io.say(`${warning} no alert rule watches ${JSON.stringify(plain(name))} yet: no one is notified when it goes down`);
  io.say(
    `  type \`uptime rules create --monitor ${/^[\w.-]+$/.test(word) ? word : `'${word}'`}\`, or add it to a rule`,
  );
}
