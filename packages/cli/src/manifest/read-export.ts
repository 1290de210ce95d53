import type { Uptime } from '@uptime/sdk';
import { allKinds, kinds } from '../kinds/index.ts';
import { fieldsOf, type Kind, type Remote } from '../kinds/kind.ts';
import { readAll, readIfKnown } from '../kinds/read-all.ts';

/** All that a manifest can hold of a project, of what has a start only what is ahead; other lists than that of the monitors are left out where they are empty. */
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
