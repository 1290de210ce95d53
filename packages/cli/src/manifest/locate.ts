import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** The nodes at the path of a fault: the key of the field (in a map) and its value. */
export interface Located {
  key: Node | null;
  value: Node | null;
  /** False if the field at the end of the path is not written; `value` is then the map that lacks it. */
  found: boolean;
}

/** Follows a path such as `headers.X-Token` or `regions.0` as far as possible, through aliases and merge keys. */
export function locate(document: Document, root: Node | null, path: string): Located {
  let at: Located = { key: null, value: root, found: true };
  let rest = path === '' ? [] : path.split('.');
  while (rest.length > 0) {
    const node = resolveAlias(document, at.value);
    const step = isSeq(node) ? intoList(node.items, rest) : findPair(document, node, rest);
    if (!step) return { ...at, found: false };
    at = step.at;
    rest = rest.slice(step.taken);
  }
  return at;
}

/** Returns the target of an alias, or any other node itself. */
export const resolveAlias = (document: Document, node: Node | null): Node | null =>
  isAlias(node) ? (node.resolve(document) ?? null) : node;

interface Step {
  at: Located;
  taken: number;
}

function intoList(items: readonly unknown[], rest: readonly string[]): Step | null {
  const item = items[Number(rest[0])];
  return item === undefined ? null : { at: { key: null, value: item as Node, found: true }, taken: 1 };
}

// A key may itself contain dots (a label `team.name`), so the longest match wins.
function findPair(document: Document, node: Node | null, rest: readonly string[]): Step | null {
  if (!isMap(node)) return null;
  for (let taken = rest.length; taken > 0; taken--) {
    const wanted = rest.slice(0, taken).join('.');
    const pair = node.items.find((item) => keyText(item) === wanted);
    if (pair) return { at: { key: pair.key as Node, value: pair.value as Node | null, found: true }, taken };
  }
  for (const merged of node.items.filter((item) => keyText(item) === '<<')) {
    const source = resolveAlias(document, merged.value as Node | null);
    for (const part of isSeq(source) ? source.items : [source]) {
      const found = findPair(document, resolveAlias(document, part as Node | null), rest);
      if (found) return found;
    }
  }
  return null;
}

/** Returns the text of a pair's key. A merge key, which the parser holds as a symbol, is `<<`. */
export function keyText({ key }: Pair): string {
  const value: unknown = isScalar(key) ? key.value : key;
  return typeof value === 'symbol' ? (value.description ?? '') : String(value);
}

/** Returns the paths below a node whose scalars pass a test, through aliases and merge keys. */
export function pathsWhere(document: Document, root: Node | null, test: (node: Node) => boolean): string[] {
  // `within` holds the parents: an alias may point to a node that contains it.
  const walk = (raw: Node | null, path: readonly string[], within: readonly Node[]): string[] => {
    const node = resolveAlias(document, raw);
    if (isScalar(node)) return test(node) ? [path.join('.')] : [];
    if (!node || within.includes(node)) return [];
    const inside = [...within, node];
    if (isSeq(node)) return node.items.flatMap((item, index) => walk(item as Node, [...path, String(index)], inside));
    if (!isMap(node)) return [];
    return node.items.flatMap((pair) => {
      const value = pair.value as Node | null;
      if (keyText(pair) !== '<<') return walk(value, [...path, keyText(pair)], inside);
      const merged = resolveAlias(document, value);
      return (isSeq(merged) ? merged.items : [merged]).flatMap((part) => walk(part as Node | null, path, inside));
    });
  };
  return walk(root, [], []);
}
