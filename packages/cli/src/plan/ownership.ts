import type { Remote } from '../kinds/kind.ts';
import type { Diagnostic } from '../manifest/diagnostic.ts';
import { labelOf } from '../manifest/references.ts';
import { plain } from '../output.ts';
import type { Matched } from './match.ts';

/** The manifest that a plan is for. */
export interface Ownership {
  /** The name that it gives itself by `managedBy`; null without one. */
  owner: string | null;
  /** Whether it takes resources that other manifests manage. */
  takeOver: boolean;
}

/** The manifest that manages a resource. Null if no manifest does, or if the server does not store which one does. */
export const ownerOf = ({ managedBy }: Pick<Remote, 'managedBy'>): string | null => managedBy ?? null;

/** Finds items whose resource another manifest manages. A resource that no manifest manages is free to take. */
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
