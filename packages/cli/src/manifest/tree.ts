import type { Node } from 'yaml';
import type { ParsedDocument } from './parse.ts';

/** Where a value of a manifest comes from. */
export interface Origin {
  document: ParsedDocument;
  /** The YAML node of the value; null if the value is empty. */
  node: Node | null;
  /** The YAML node of the value's key in a map. */
  key: Node | null;
  /** The part of the manifest that gave the value. */
  via: 'item' | 'default' | 'override' | 'forEach';
}

interface Grown {
  origin: Origin;
  /** The number of values in the tree. Values behind an alias are counted for each use of the alias. */
  size: number;
  /** Whether a part of the tree could not be read, such as an alias without an anchor. */
  lost: boolean;
}

/** A value of a manifest (a scalar, a map or a list) with its origin. */
export type Tree = Leaf | MapTree | ListTree;

export interface Leaf extends Grown {
  is: 'leaf';
  value: unknown;
  /** Whether the value comes from an environment variable. Output must never show such a value. */
  fromEnvironment: boolean;
  /** Whether a variable in the value was replaced by its value or its default. */
  variable: boolean;
  /** Whether a variable in the value could not be replaced, for example because it is not set. */
  broken: boolean;
  /**
   * Whether this is a `null` that removes a field of a lower layer, such as a `null` in an override: see
   * merge-trees.ts.
   */
  removes: boolean;
}

export interface MapTree extends Grown {
  is: 'map';
  entries: ReadonlyMap<string, Tree>;
}

export interface ListTree extends Grown {
  is: 'list';
  items: readonly Tree[];
}

export const isMapTree = (tree: Tree | null | undefined): tree is MapTree => tree?.is === 'map';

export const leaf = (value: unknown, origin: Origin, flags: Partial<Leaf> = {}): Leaf => ({
  is: 'leaf',
  value,
  origin,
  size: 1,
  lost: false,
  fromEnvironment: false,
  variable: false,
  broken: false,
  removes: false,
  ...flags,
});

export function mapTree(entries: ReadonlyMap<string, Tree>, origin: Origin): MapTree {
  return { is: 'map', entries, origin, ...sum([...entries.values()]) };
}

export const listTree = (items: readonly Tree[], origin: Origin): ListTree => ({
  is: 'list',
  items,
  origin,
  ...sum(items),
});

const sum = (inner: readonly Tree[]): Pick<Grown, 'size' | 'lost'> => ({
  size: inner.reduce((total, { size }) => total + size, 1),
  lost: inner.some(({ lost }) => lost),
});

/** Returns a tree as plain JavaScript values. */
export function valueOf(tree: Tree): unknown {
  if (tree.is === 'leaf') return tree.value;
  if (tree.is === 'list') return tree.items.map(valueOf);
  return Object.fromEntries([...tree.entries].map(([name, inner]) => [name, valueOf(inner)]));
}

/** Returns the paths of all scalars in a tree for which `test` returns true. */
export function pathsWhere(tree: Tree, test: (leaf: Leaf) => boolean, path: readonly string[] = []): string[] {
  if (tree.is === 'leaf') return test(tree) ? [path.join('.')] : [];
  if (tree.is === 'list') return tree.items.flatMap((item, index) => pathsWhere(item, test, [...path, String(index)]));
  return [...tree.entries].flatMap(([name, inner]) => pathsWhere(inner, test, [...path, name]));
}

/**
 * Follows a path such as `headers.X-Token` or `regions.0`. Returns the deepest part of the tree on the path, and
 * whether it is the end of the path.
 */
export function locate(tree: Tree, path: string): { tree: Tree; found: boolean } {
  let at = tree;
  let rest = path === '' ? [] : path.split('.');
  while (rest.length > 0) {
    const step = stepInto(at, rest);
    if (!step) return { tree: at, found: false };
    at = step.tree;
    rest = rest.slice(step.taken);
  }
  return { tree: at, found: true };
}

// A key may contain dots itself, such as a label `team.name`. So the longest matching key is used.
function stepInto(tree: Tree, rest: readonly string[]): { tree: Tree; taken: number } | null {
  if (tree.is === 'leaf') return null;
  if (tree.is === 'list') {
    const item = tree.items[Number(rest[0])];
    return item ? { tree: item, taken: 1 } : null;
  }
  for (let taken = rest.length; taken > 0; taken--) {
    const found = tree.entries.get(rest.slice(0, taken).join('.'));
    if (found) return { tree: found, taken };
  }
  return null;
}

/** Returns a copy of a tree in which the origin of all values is the given part of the manifest. */
export function via(tree: Tree, part: Origin['via']): Tree {
  const origin = { ...tree.origin, via: part };
  if (tree.is === 'leaf') return { ...tree, origin };
  if (tree.is === 'list') return { ...tree, origin, items: tree.items.map((item) => via(item, part)) };
  return {
    ...tree,
    origin,
    entries: new Map([...tree.entries].map(([name, inner]) => [name, via(inner, part)])),
  };
}
