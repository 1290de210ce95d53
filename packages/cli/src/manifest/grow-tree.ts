import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Diagnostic, Place } from './diagnostic.ts';
import type { ParsedDocument } from './parse.ts';
import { isMapTree, leaf, listTree, mapTree, type Origin, type Tree } from './tree.ts';

/**
 * Maximum number of values in a document. The values behind an alias are counted for each use of the alias. Larger
 * documents are attacks or mistakes.
 */
export const maxValues = 500_000;

/**
 * Converts a document to a tree, and replaces aliases and merge keys with their values. Reports faults: an alias or a
 * merge key that cannot be read, a key that appears twice in a map, and aliases that make the document too large. Time
 * and memory depend on the length of the text, not on how many values its aliases stand for.
 */
export function growTree(document: ParsedDocument): { tree: Tree | null; faults: Diagnostic[] } {
  const faults: Diagnostic[] = [];
  /** The values of the anchors that were read so far; null while the value of an anchor is still being read. */
  const anchors = new Map<string, Tree | null>();
  const fault = (node: Node | null, message: string) => {
    faults.push({ ...placeOf(document, node), message });
  };

  const grow = (node: Node | null, key: Node | null): Tree => {
    const origin: Origin = { document, node, key, via: 'item' };
    if (isAlias(node)) {
      const known = anchors.get(node.source);
      if (known) return { ...known, origin: { ...known.origin, key } };
      fault(
        node,
        known === null
          ? `the alias \`*${node.source}\` contains itself; write the value out`
          : `the alias \`*${node.source}\` has no anchor: set \`&${node.source}\` before it`,
      );
      return leaf(undefined, origin, { lost: true });
    }
    const anchor = node && 'anchor' in node ? node.anchor : undefined;
    if (anchor) anchors.set(anchor, null);
    const tree = bounded(growValue(node, origin), fault);
    if (anchor) anchors.set(anchor, tree);
    return tree;
  };

  const growValue = (node: Node | null, origin: Origin): Tree => {
    if (isSeq(node))
      return listTree(
        node.items.map((item) => grow(item as Node, null)),
        origin,
      );
    if (isMap(node)) return growMap(node, origin);
    return leaf(isScalar(node) ? node.value : null, origin);
  };

  const growMap = (node: YAMLMap, origin: Origin): Tree => {
    const entries = new Map<string, Tree>();
    const merged: Tree[] = [];
    for (const pair of node.items) {
      const name = keyText(pair);
      const value = grow(pair.value as Node | null, pair.key as Node);
      if (name === '<<' && isMergeKey(pair)) {
        const parts = value.is === 'list' ? value.items : [value];
        if (!value.lost && !parts.every(isMapTree))
          fault(pair.key as Node, '`<<` must be followed by the alias of a map');
        merged.push(...parts);
      } else if (entries.has(name)) {
        fault(pair.key as Node, 'this key appears twice in one map; remove one of them');
      } else entries.set(name, value);
    }
    for (const part of merged.filter(isMapTree)) {
      for (const [name, value] of part.entries) if (!entries.has(name)) entries.set(name, value);
    }
    const tree = mapTree(entries, origin);
    return merged.some(({ lost }) => lost) ? { ...tree, lost: true } : tree;
  };

  const { contents } = document.document;
  return { tree: contents === null ? null : grow(contents, null), faults };
}

function bounded(tree: Tree, fault: (node: Node | null, message: string) => void): Tree {
  if (tree.size <= maxValues) return tree;
  const { node } = tree.origin;
  fault(node, `has more than ${maxValues} values if each alias is replaced by its values; use fewer aliases`);
  return leaf(undefined, tree.origin, { lost: true });
}

/** Returns the text of a pair's key. The parser represents a merge key as a symbol; its text is `<<`. */
export function keyText({ key }: Pair): string {
  const value: unknown = isScalar(key) ? key.value : key;
  return typeof value === 'symbol' ? (value.description ?? '') : String(value);
}

const isMergeKey = ({ key }: Pair): boolean => isScalar(key) && key.type === 'PLAIN';

const startOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

/** Returns the place of a node; without a node, the start of the document. */
export const placeOf = ({ at }: ParsedDocument, node: Node | null | undefined): Place => at(startOf(node));
