import type { Monitor } from '@uptime/sdk';
import type { Connection } from '../connection.ts';
import { readRegions, unservedReason } from './regions.ts';
import { plain } from '../output.ts';

/** Warns on standard error about a new monitor: its regions without a daemon, and that no rule watches it yet. */
export async function sayNewGaps(
  { key, name, regions }: Monitor,
  { client, signal, io }: Pick<Connection, 'client' | 'signal' | 'io'>,
): Promise<void> {
  const warning = io.err.yellow('warning:');
  const known = regions && regions.length > 0 ? await readRegions(client, signal) : null;
  for (const region of known ? (regions ?? []) : []) {
    const reason = unservedReason(region, known!, Date.now());
    if (reason !== null) io.say(`${warning} ${reason}`);
  }
  const word = plain(key ?? name);
  io.say(`${warning} no alert rule watches ${JSON.stringify(plain(name))} yet: no one is notified when it goes down`);
  io.say(
    `  type \`uptime rules create --monitor ${/^[\w.-]+$/.test(word) ? word : `'${word}'`}\`, or add it to a rule`,
  );
}
