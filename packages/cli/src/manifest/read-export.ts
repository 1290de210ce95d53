import type { Uptime } from '@uptime/sdk';
import { allKinds, kinds } from '../kinds/index.ts';
import type { Kind, Remote } from '../kinds/kind.ts';
import { readAll, readIfKnown } from '../kinds/read-all.ts';

/** All that a manifest can hold of a project; other lists than that of the monitors are left out where they are empty. */
export async function readExport(client: Uptime, signal: AbortSignal): Promise<Map<Kind, Remote[]>> {
  const remotes = new Map<Kind, Remote[]>([[kinds.monitor, await readAll(kinds.monitor, client, signal)]]);
  for (const kind of allKinds.filter((one) => one !== kinds.monitor)) {
    const read = await readIfKnown(kind, client, signal);
    if ('remotes' in read && read.remotes.length > 0) remotes.set(kind, read.remotes);
  }
  return remotes;
}
