import type { Monitor } from '@uptime/sdk';
import type { Connection } from '../connection.ts';
import { plain } from '../output.ts';
import { unservedReasons } from './regions.ts';

type Server = Pick<Connection, 'client' | 'signal' | 'io'>;

/** Warns on standard error about the monitor's regions that no daemon or probe serves: see `unservedReasons`. */
export async function sayUnservedRegions(monitor: Monitor, server: Server): Promise<void> {
  const { io } = server;
  for (const reason of await unservedReasons(monitor, server)) io.say(`${io.err.yellow('warning:')} ${reason}`);
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
