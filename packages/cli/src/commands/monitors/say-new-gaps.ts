import type { Monitor, Uptime } from '@uptime/sdk';
import { readRegions, unservedReason } from '../../gaps/regions.ts';
import type { Io } from '../../io.ts';
import { plain } from '../../output.ts';

/** Warns on standard error about a new monitor: its regions without a daemon, and that no rule watches it yet. */
export async function sayNewGaps(
  { key, name, regions }: Monitor,
  { client, signal, io }: { client: Uptime; signal: AbortSignal; io: Io },
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
