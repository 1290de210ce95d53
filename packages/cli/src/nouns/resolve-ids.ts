import type { Server } from '../connection.ts';
import { CliError } from '../exit.ts';
import type { Members } from '../flags/reference-flags.ts';
import { kinds } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { readAll } from '../kinds/read-all.ts';
import { lookupIn } from '../manifest/references.ts';

/**
 * Returns the ids of the monitors and channels that the user named. Throws a CliError that lists every word that
 * matches no resource, or several.
 */
export async function resolveMembers(
  members: Members,
  server: Server,
): Promise<{ monitorIds?: string[]; channelIds?: string[] }> {
  const { monitors, channels } = members;
  const faults: string[] = [];
  const idsOf = async (kind: Kind, words: readonly string[]): Promise<string[]> => {
    if (words.length === 0) return [];
    const found = await resolveIds(kind, words, server);
    faults.push(...found.faults);
    return found.ids;
  };
  const ids = {
    ...(monitors && { monitorIds: await idsOf(kinds.monitor, monitors) }),
    ...(channels && { channelIds: await idsOf(kinds.channel, channels) }),
  };
  if (faults.length === 0) return ids;
  const next =
    'channels' in members
      ? '`uptime monitors list` and `uptime channels list` list all monitors and channels'
      : '`uptime monitors list` lists all monitors';
  throw new CliError(faults.join('\n'), { next });
}

/**
 * Returns each id once, in the order of the words. Also returns a fault for each word that matches no resource, or
 * several.
 */
async function resolveIds(
  kind: Kind,
  words: readonly string[],
  { client, signal }: Server,
): Promise<{ ids: string[]; faults: string[] }> {
  const there = await readAll(kind, client, signal);
  const targets = there.map((current) => ({ key: current.key ?? null, name: current.name, wanted: null, current }));
  const lookup = lookupIn(targets, kind);
  const faults: string[] = [];
  const ids = words.flatMap((word) => {
    if (there.some(({ id }) => id === word)) return [word];
    const found = lookup.find(word);
    if ('target' in found) return found.target.current?.id ?? [];
    faults.push(found.fault);
    return [];
  });
  return { ids: [...new Set(ids)], faults };
}
