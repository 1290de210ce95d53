import type { AlertRule, Uptime } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { showResource } from '../../nouns/show-resource.ts';
import { type Shown } from '../../flags/output-flags.ts';

/** Turns the id of a monitor or channel into its key or name. */
export type Names = (id: string) => string;

/** Reads the names of all monitors and channels, in two requests. */
export async function readNames(client: Uptime, signal: AbortSignal): Promise<Names> {
  const [monitors, channels] = await Promise.all([
    client.monitors.list({}, { signal }),
    client.channels.list({}, { signal }),
  ]);
  const names = new Map([...monitors, ...channels].map(({ id, key, name }) => [id, key ?? name]));
  return (id) => names.get(id) ?? id;
}

/** Prints a rule with all its fields, or only its id. A table names its monitors and channels. */
export async function showRule(
  io: Io,
  rule: AlertRule,
  shown: Shown,
  { client, signal }: { client: Uptime; signal: AbortSignal },
): Promise<void> {
  if (shown.quiet || shown.format !== 'table') return showResource(io, rule, shown);
  const nameOf = await readNames(client, signal);
  const { monitorIds, channelIds, ...rest } = rule;
  const inTable = { ...rest, monitors: monitorIds.map(nameOf), channels: channelIds.map(nameOf) };
  return showResource(io, rule, shown, inTable);
}
