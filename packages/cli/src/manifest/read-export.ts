import type { Uptime } from '@uptime/sdk';
import { allKinds, kinds } from '../kinds/index.ts';
import { fieldsOf, type Kind, type Remote } from '../kinds/kind.ts';
import { readAll, readIfKnown } from '../kinds/read-all.ts';

/**
 * Reads all resources of a project that a manifest can contain. Leaves out maintenance windows that have begun. Leaves
 * out empty lists too, except the list of monitors.
 */
export async function readExport(client: Uptime, signal: AbortSignal, now: number): Promise<Map<Kind, Remote[]>> {
  const remotes = new Map<Kind, Remote[]>([[kinds.monitor, await readAll(kinds.monitor, client, signal)]]);
  for (const kind of allKinds.filter((one) => one !== kinds.monitor)) {
    const read = await readIfKnown(kind, client, signal);
    if (!('remotes' in read)) continue;
    const ahead = read.remotes.filter((remote) => (kind.phase?.(fieldsOf(remote), now) ?? 'ahead') === 'ahead');
    if (ahead.length > 0) remotes.set(kind, ahead);
  }
  return remotes;
}
