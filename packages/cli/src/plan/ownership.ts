import type { Remote } from '../kinds/kind.ts';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import { labelOf } from '../manifest/references.ts';
import { plain } from '../output.ts';
import type { Matched } from './match.ts';

/** The manifest of a plan, and whether the plan may change resources of other manifests. */
export interface Ownership {
  /** The name in the manifest's `managedBy`; null if there is none. */
  owner: string | null;
  /** Whether the plan may change resources that other manifests manage. */
  takeOver: boolean;
}

/**
 * Returns the name of the manifest that manages a resource. Returns null if no manifest manages the resource, or if the
 * server does not store `managedBy`.
 */
export const ownerOf = ({ managedBy }: Pick<Remote, 'managedBy'>): string | null => managedBy ?? null;

/**
 * Returns a fault for each item whose resource is managed by another manifest. A resource that no manifest manages
 * causes no fault.
 */
export function foreignItems({ pairs }: Pick<Matched, 'pairs'>, { owner, takeOver }: Ownership): Diagnostic[] {
  if (takeOver) return [];
  return [...pairs].flatMap(([wanted, current]) => {
    const other = ownerOf(current);
    if (other === null || other === owner) return [];
    const what = `the ${wanted.kind.one} ${JSON.stringify(plain(labelOf(current)))} on the server`;
    const advice =
      owner === null
        ? `write \`managedBy: ${plain(other)}\` at the top if this is that manifest, or else add --take-over`
        : 'give this item another key and name, remove it, or add --take-over';
    const place = wanted.place(wanted.value.key === null ? 'name' : 'key');
    return [{ ...place, message: `${what} is managed by the manifest ${JSON.stringify(plain(other))}; ${advice}` }];
  });
}
