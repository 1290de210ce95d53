import type { Uptime } from '@uptime/sdk';
import { CliError } from '../exit.ts';
import { kinds } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { readAll } from '../kinds/read-all.ts';
import { lookupIn } from '../manifest/references.ts';

interface Server {
  client: Uptime;
  signal: AbortSignal;
}

/**
 * Looks up ids, keys and names. Returns each id once, in the given order, and a fault for each word that matches none
 * or several.
 */
export async function resolveIds(
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
    const found = lookup(word);
    if ('target' in found) return found.target.current?.id ?? [];
    faults.push(found.fault);
    return [];
  });
  return { ids: [...new Set(ids)], faults };
}

/** Looks up the given monitors, and returns their ids as an API field. Throws a CliError that lists every fault. */
export async function resolveMonitors(
  words: readonly string[] | undefined,
  server: Server,
): Promise<{ monitorIds?: string[] }> {
  if (words === undefined) return {};
  if (words.length === 0) return { monitorIds: [] };
  const { ids, faults } = await resolveIds(kinds.monitor, words, server);
  if (faults.length > 0) throw new CliError(faults.join('\n'), { next: '`uptime monitors list` lists all monitors' });
  return { monitorIds: ids };
}
