import { type ManifestList, manifestLists, nearest } from '@uptime/sdk/contract';
import { allKinds } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { type Diagnostic, sortDiagnostics } from './diagnostic.ts';
import type { Filling } from './fill-variables.ts';
import { expandItem } from './expand-item.ts';
import { placeOf } from './grow-tree.ts';
import { type Includes, noIncludes } from './includes.ts';
import type { Wanted } from './item.ts';
import { layItem, unusedOverrides } from './layers.ts';
import type { Source } from './load.ts';
import { type ManifestDocument, readDocuments } from './read-documents.ts';
import { type ReadItems, readItem } from './read-item.ts';
import { danglingReferences } from './references.ts';
import { repeatedItems } from './repeated.ts';
import { ownedBy, readOwner } from './read-owner.ts';
import { isMapTree, type MapTree, mapTree, type Tree } from './tree.ts';

/** The content of a manifest, which may consist of several files. */
export interface Manifest {
  items: Wanted[];
  /** The name in `managedBy`, which becomes the owner of the items on the server; null if there is none. */
  owner: string | null;
  /** The documents that contain the items. Their defaults and overrides are those for the chosen environment. */
  documents: readonly ManifestDocument[];
  environment: string | null;
  /** The lists that appear in the documents, even if they are empty. */
  lists: ReadonlySet<ManifestList>;
  /** The files of the manifest. */
  sources: readonly Source[];
  /** The environment variables to which the manifest refers. */
  variables: ReadonlySet<string>;
}

/** The content of a manifest, with every fault at its place. */
export interface Validated extends Manifest {
  faults: Diagnostic[];
  /**
   * References that match no item of the lists, or several items. Such a reference is a fault unless the server has the
   * target.
   */
  dangling: Diagnostic[];
  /** All items, including items with faults, because other items may refer to them. */
  named: readonly Wanted[];
  /** The kinds that may have items that could not be read. A reference to such an item may be right. */
  unread: readonly Kind[];
}

export interface ReadingOptions {
  /** The environment whose overrides apply, such as `production`. */
  environment?: string | null;
  includes?: Includes;
}

/** The state while the files of a manifest are read. */
interface Reading extends ReadItems {
  lists: Set<ManifestList>;
  filling: Filling;
  environment: string | null;
  environments: Set<string>;
}

/**
 * Reads a manifest: parses its files and the files that they include, applies defaults, overrides and variables, and
 * validates each item. A maintenance window that is over at `now` (epoch milliseconds) may refer to monitors that no
 * longer exist. Never throws because of the content of a file.
 */
export function validateManifests(
  sources: readonly Source[],
  env: Record<string, string | undefined>,
  now = 0,
  { environment = null, includes = noIncludes }: ReadingOptions = {},
): Validated {
  const variables = new Set<string>();
  const faults: Diagnostic[] = [];
  const filling: Filling = { env, names: variables, faults };
  const read = readDocuments(sources, { includes, environment, filling });
  faults.push(...read.faults);
  const { environments } = read;
  const reading: Reading = {
    items: [],
    faulty: [],
    unknown: new Set(),
    faults,
    lists: new Set(),
    filling,
    environment,
    environments,
  };
  for (const document of read.documents) readLists(document, reading);
  const { owner, faults: ownerFaults } = readOwner(read.documents, filling);
  faults.push(...ownerFaults);
  const { items, faulty, unknown, lists } = reading;
  faults.push(...untakenOverrides(read.documents), ...unknownEnvironment(environment, environments, read.sources));
  const whole = allKinds.filter((kind) => lists.has(kind.list) && !unknown.has(kind) && !read.unread);
  // Maintenance windows with faults are left out. Such a window may lack its start, which is a part of its identity.
  faults.push(...repeatedItems([...items, ...faulty.filter(({ kind }) => !kind.identity)].toSorted(byPlace)));
  const dangling = danglingReferences([...items, ...faulty], whole, now);
  return {
    items: items.map((item) => ownedBy(item, owner)),
    owner,
    documents: read.documents,
    environment,
    lists,
    sources: read.sources,
    variables,
    faults: sortDiagnostics(faults),
    dangling: sortDiagnostics(dangling),
    named: [...items, ...faulty],
    unread: allKinds.filter((kind) => read.unread || unknown.has(kind)),
  };
}

const kindOf = Object.fromEntries(allKinds.map((kind) => [kind.list, kind])) as Record<ManifestList, Kind>;
const otherParts = ['managedBy', 'include', 'defaults', 'overrides'];
/** Parts whose names begin with `x-` are ignored. They may contain anchors, as in Compose files. */
const anchorsOnly = /^x-/;

function readLists({ document, root, layers }: ManifestDocument, reading: Reading): void {
  const { faults, filling, environment, environments } = reading;
  for (const [name, tree] of root.entries) {
    if (otherParts.includes(name) || anchorsOnly.test(name) || (tree.is === 'leaf' && tree.lost)) continue;
    const list = readList(name, tree, reading);
    for (const written of list?.items ?? []) {
      const item = withChosen(written, environment, environments);
      const { items, faults: wrong } = expandItem(item, filling);
      faults.push(...wrong);
      if (wrong.length > 0) reading.unknown.add(list!.kind);
      for (const one of items) {
        const laid = isMapTree(one) && !one.lost ? layItem(one, list!.kind, layers, environment) : one;
        readItem(
          laid,
          { kind: list!.kind, document, written, isOneOfMany: isMapTree(written) && written.entries.has('forEach') },
          reading,
        );
      }
    }
  }
}

/** Returns an item without the overrides of other environments, because their variables may not be set. */
function withChosen(item: Tree, environment: string | null, environments: Set<string>): Tree {
  const overrides = isMapTree(item) ? item.entries.get('overrides') : undefined;
  if (!isMapTree(item) || !isMapTree(overrides)) return item;
  for (const name of overrides.entries.keys()) environments.add(name);
  const chosen = new Map([...overrides.entries].filter(([name]) => name === environment));
  return mapTree(new Map([...item.entries, ['overrides', mapTree(chosen, overrides.origin)]]), item.origin);
}

/** Returns the kind and the items of a list. For any other top-level key, adds a fault and returns null. */
function readList(text: string, tree: Tree, { lists, faults }: Reading): { kind: Kind; items: readonly Tree[] } | null {
  const { document, node, key } = tree.origin;
  const fault = (atKey: boolean, message: string) => {
    faults.push({ ...placeOf(document, atKey ? key : (node ?? key)), message });
    return null;
  };
  const name = manifestLists.find((known) => known === text);
  if (!name) {
    const meant = nearest(text, [...manifestLists, ...otherParts]);
    const hint = meant ? `did you mean \`${meant}\`?` : `expected ${[...manifestLists, ...otherParts].join(', ')}`;
    return fault(true, `\`${text}\` is not part of a manifest; ${hint}`);
  }
  if (tree.is === 'leaf' && tree.value === null)
    return fault(true, `\`${name}\` is empty; write a list below it, or \`[]\``);
  if (tree.is !== 'list') return fault(false, `\`${name}\` must be a list: begin each item with \`- \``);
  lists.add(name);
  return { kind: kindOf[name], items: tree.items };
}

/** Returns a fault for each override that matched no item. The key or name of such an override is probably mistyped. */
function untakenOverrides(documents: readonly ManifestDocument[]): Diagnostic[] {
  const layers = new Set(documents.flatMap((one) => one.layers));
  return [...layers].flatMap((layer) =>
    manifestLists.flatMap((list) =>
      unusedOverrides(layer, list).map(([word, { origin }]: [string, MapTree]) => ({
        ...placeOf(origin.document, origin.key ?? origin.node),
        message: `no item of \`${list}\` has the key or name ${JSON.stringify(word)}, so this override changes nothing`,
      })),
    ),
  );
}

function unknownEnvironment(
  environment: string | null,
  known: ReadonlySet<string>,
  [source]: readonly Source[],
): Diagnostic[] {
  if (environment === null || known.has(environment)) return [];
  const meant = nearest(environment, [...known]);
  const hint = meant
    ? `did you mean ${meant}?`
    : known.size > 0
      ? `it has overrides for ${[...known].join(', ')}`
      : 'it has no `overrides`';
  const message = `the manifest has no overrides for the environment ${JSON.stringify(environment)}; ${hint}`;
  return [{ file: source?.name ?? '', line: 1, column: 1, message }];
}

const byPlace = (a: Wanted, b: Wanted): number => {
  const [x, y] = [a.place(''), b.place('')];
  return x.file === y.file ? x.line - y.line || x.column - y.column : 0;
};
