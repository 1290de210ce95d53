import { allKinds } from '../kinds/index.ts';
import type { Kind, KindName, Remote } from '../kinds/kind.ts';
import type { Wanted, Written } from '../manifest/item.ts';
import { layItem } from '../manifest/layers.ts';
import type { ParsedDocument } from '../manifest/parse.ts';
import type { ManifestDocument } from '../manifest/read-documents.ts';
import { labelOf } from '../manifest/references.ts';
import { createSecretVariables, type SecretVariables } from '../manifest/secret-variables.ts';
import { type MapTree, mapTree } from '../manifest/tree.ts';
import type { PreparedPlan } from '../plan/make.ts';

/** The plan and the data that a pull starts from. */
export type PulledFrom = Pick<PreparedPlan, 'documents' | 'items' | 'environment' | 'remotes' | 'variables' | 'plan'>;

/** The state of a pull: its input, and what it has changed so far. */
export interface Pulling extends Pick<PreparedPlan, 'documents' | 'items' | 'environment'> {
  /** The documents that were edited. The edits are only in memory. */
  edited: Set<ParsedDocument>;
  removed: Set<Wanted>;
  added: { kind: Kind; remote: Remote }[];
  /** Returns the key or name of the resource with this id on the server. */
  nameOf: (id: string) => string;
  /** Returns the id of the resource to which a key or name in the manifest refers. */
  idOf: (kind: KindName, word: string) => string | undefined;
  /** Chooses variables for the secrets of items that are added. */
  variables: SecretVariables;
}

export function startPulling({ documents, items, environment, remotes, variables, plan }: PulledFrom): Pulling {
  const names = new Map([...remotes.values()].flat().map((remote) => [remote.id, labelOf(remote)]));
  return {
    documents,
    items,
    environment,
    edited: new Set(),
    removed: new Set(),
    added: [],
    nameOf: (id) => names.get(id) ?? id,
    idOf: idsByWord(plan, remotes),
    variables: createSecretVariables(variables),
  };
}

/**
 * Returns a function that finds an id by key or name. Items of the manifest are preferred to resources that only the
 * server has, and keys are preferred to names.
 */
function idsByWord({ changes, unchanged }: PreparedPlan['plan'], remotes: PreparedPlan['remotes']): Pulling['idOf'] {
  const pairs = [
    ...unchanged,
    ...changes.flatMap((change) => (change.action === 'update' || change.action === 'replace' ? [change] : [])),
  ];
  const ids = new Map(
    allKinds.map((kind) => {
      const own = pairs.filter(({ wanted }) => wanted.kind === kind);
      const words: [string | null | undefined, string][] = [
        ...(remotes.get(kind) ?? []).map((one): [string, string] => [one.name, one.id]),
        ...(remotes.get(kind) ?? []).map((one): [string | null | undefined, string] => [one.key, one.id]),
        ...own.map(({ wanted, current }): [string, string] => [wanted.value.name, current.id]),
        ...own.map(({ wanted, current }): [string | null, string] => [wanted.value.key, current.id]),
      ];
      return [kind.name, new Map(words)];
    }),
  );
  return (kind, word) => ids.get(kind)?.get(word);
}

/** Returns the fields that the defaults of a document give to an item of this kind, type and name. */
export function baseOf(
  kind: Kind,
  { layers }: Pick<ManifestDocument, 'layers'>,
  item: MapTree,
  { environment }: Pulling,
): MapTree {
  const kept = ['type', 'key', 'name', 'title'];
  const head = new Map([...item.entries].filter(([field]) => kept.includes(field)));
  // Overrides are left out, because they are not defaults: they replace the item's own fields.
  const looked = layers.map((layer) => ({ ...layer, overrides: new Map() }));
  return layItem(mapTree(head, item.origin), kind, looked, environment);
}

/** Returns the document that contains an item, with the defaults that apply there. */
export const documentOf = ({ documents }: Pulling, { document }: Written): ManifestDocument | undefined =>
  documents.find((one) => one.document === document);
