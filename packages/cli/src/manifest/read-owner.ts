import { managedBy, sentenceOf, validate } from '@uptime/sdk/contract';
import type { Diagnostic } from './diagnostic.ts';
import { type Filling, fillVariables } from './fill-variables.ts';
import { placeOf } from './grow-tree.ts';
import type { Wanted } from './item.ts';
import type { ManifestDocument } from './read-documents.ts';
import { valueOf } from './tree.ts';

/**
 * Reads the name of the manifest in `managedBy`; null if there is none. Reports a fault if the files of the manifest
 * have different names.
 */
export function readOwner(
  documents: readonly ManifestDocument[],
  filling: Filling,
): { owner: string | null; faults: Diagnostic[] } {
  const faults: Diagnostic[] = [];
  let first: { owner: string; at: string } | null = null;
  for (const { root } of documents) {
    const written = root.entries.get('managedBy');
    if (!written) continue;
    const tree = fillVariables(written, filling);
    if (tree.is === 'leaf' && tree.broken) continue;
    const { document, node, key } = tree.origin;
    const place = placeOf(document, node ?? key);
    const checked = validate(managedBy.unwrap().unwrap(), valueOf(tree));
    if (!checked.ok) {
      faults.push(
        ...checked.faults.map((fault) => ({ ...place, message: `\`managedBy\` ${sentenceOf(fault, 'yaml')}` })),
      );
    } else if (first && first.owner !== checked.value) {
      const message = `\`managedBy\` is ${JSON.stringify(first.owner)} at ${first.at}; all files of a manifest must have the same name`;
      faults.push({ ...place, message });
    } else first ??= { owner: checked.value, at: `${place.file}:${place.line}` };
  }
  return { owner: first?.owner ?? null, faults };
}

/** Returns the item with the owner in its fields. */
export const ownedBy = (item: Wanted, owner: string | null): Wanted => ({
  ...item,
  given: owner === null ? item.given : { ...item.given, managedBy: owner },
  value: { ...item.value, managedBy: owner },
});
