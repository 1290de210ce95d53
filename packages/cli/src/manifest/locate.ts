import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** Where a fault's path leads: the key that names the field (in a map) and its value. */
export interface Located {
  key: Node | null;
  value: Node | null;
  /** False when the path ends in a field that is not written: the node is then the map it is missing from. */
  found: boolean;
}

/** Follows a dotted path such as `headers.X-Token` or `regions.0`, through aliases and merge keys, as far as it leads. */
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

/** The node that an alias stands for; any other node is itself. */
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

// A key may hold dots itself (a label `team.name`): the longest that fits is taken.
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

/** The text of a pair's key; a merge key, which the parser holds as a symbol, is `<<`. */
export function keyText({ key }: Pair): string {
  const value: unknown = isScalar(key) ? key.value : key;
  return typeof value === 'symbol' ? (value.description ?? '') : String(value);
}

/** The paths below a node whose scalars satisfy a test, through aliases and merge keys. */
export function pathsWhere(document: Document, root: Node | null, test: (node: Node) => boolean): string[] {
  // `within` holds what leads here: an alias may stand inside of what it stands for.
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
