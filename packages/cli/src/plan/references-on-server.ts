import type { Context } from '../context.ts';
import { allKinds } from '../kinds/index.ts';
import type { Kind, Remote } from '../kinds/kind.ts';
import { readAll } from '../kinds/read-all.ts';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import { danglingReferences } from '../manifest/references.ts';
import type { Validated } from '../manifest/validate.ts';
import type { SettingFlags } from '../settings.ts';

/**
 * Returns a fault for each reference whose target is neither in the manifest nor on the server. Used for manifests with
 * other faults, for which no plan can be made. Throws if the server cannot be read.
 */
export async function referencesOnServer(
  { named, unread }: Pick<Validated, 'named' | 'unread'>,
  settings: SettingFlags,
  context: Context,
): Promise<Diagnostic[]> {
  const names = new Set(named.flatMap(({ kind }) => Object.values(kind.references).map((reference) => reference.kind)));
  const referencedKinds = allKinds.filter((kind) => names.has(kind.name) && !unread.includes(kind));
  const client = await context.connect(settings);
  const remotes = new Map<Kind, readonly Remote[]>();
  for (const kind of referencedKinds) remotes.set(kind, await readAll(kind, client, context.signal));
  return danglingReferences(named, referencedKinds, Date.now(), remotes);
}
