import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Pair, Scalar, type YAMLMap } from 'yaml';
import { fieldsOf } from '../kinds/kind.ts';
import { keyText } from '../manifest/grow-tree.ts';
import type { Wanted, Written } from '../manifest/item.ts';
import { isMapTree, locate, type MapTree } from '../manifest/tree.ts';
import type { Change, FieldChange } from '../plan/change.ts';
import { editReferences } from './edit-references.ts';
import { baseOf, documentOf, type Pulling } from './pulling.ts';
import { escaped, setScalar, setValue } from './set-value.ts';
import { isSharedField } from './used-anchors.ts';
import { removePair, withComment } from './yaml-comments.ts';

type Update = Extract<Change, { action: 'update' }>;

/** Writes the server's value of a field into the item. Returns null, or the reason why that is not possible. */
export function editItem({ wanted, current, kind }: Update, field: FieldChange, pulling: Pulling): string | null {
  const { written } = wanted;
  if (!written) return 'the item was not read from a file';
  if (field.at[0] === 'managedBy')
    return 'the name comes from the top of the manifest; `uptime apply` writes it to the server';
  if (written.isOneOfMany) return 'a `forEach` makes this item together with others';
  const path = field.at.join('.');
  if (field.secret || wanted.hides(path)) return 'the value is secret, or comes from the environment';
  const node = written.written.origin.node;
  if (!isMap(node)) return 'the item is an alias';
  const { document } = written.document;
  const at = locate(written.tree, path);
  const { origin } = at.tree;
  const isOverridden = at.found && origin.via === 'override';
  const isShared =
    isOverridden && origin.node
      ? isSharedField(origin.document.document, origin.node, [])
      : isSharedField(document, node, field.at);
  if (isShared) return 'other parts of the file share this value through an anchor; edit it by hand';
  const reference = kind.references[field.at[0]];
  if (reference) {
    const ids = fieldsOf(current)[reference.ids] as string[];
    return editReferences(wanted, node, { field: field.at[0], ids, reference }, pulling);
  }
  if (at.found && at.tree.is === 'leaf' && at.tree.variable) return 'the value comes from a variable';
  const value = field.at.length === 1 ? fieldsOf(current)[field.at[0]] : field.from;
  if (isOverridden) {
    if (!origin.node || isAlias(origin.node)) return 'an override gives the value';
    setValue(origin.document.document, origin.node, value ?? null);
    return null;
  }
  return put(node, field.at, value, { written, document, base: baseIn(wanted, written, pulling) });
}

/** Returns the fields that the defaults give to the item; null if they cannot be found. */
function baseIn({ kind }: Wanted, written: Written, pulling: Pulling): MapTree | null {
  const document = documentOf(pulling, written);
  return document && isMapTree(written.tree) ? baseOf(kind, document, written.tree, pulling) : null;
}

interface Place {
  written: Written;
  document: Document;
  base: MapTree | null;
}

/** Sets a field in the item itself. There the field replaces a default, or a field of a merged map. */
function put(root: YAMLMap, at: readonly string[], value: unknown, place: Place): string | null {
  const { written, document, base } = place;
  const map = innerMap(root, at, place);
  if (typeof map === 'string') return map;
  const name = at.at(-1)!;
  const pair = map.items.find((one) => keyText(one) === name);
  if (value === undefined || value === null) {
    const below = locate(written.tree, at.join('.'));
    const isOwn = pair && below.found && below.tree.origin.key === pair.key;
    const hasDefault = base !== null && locate(base, at.join('.')).found;
    const hasMerged = isMerged(map, name, document);
    // A `null` removes a default, and replaces a merged field. But it cannot replace a merged entry of a map such as
    // `labels`, because such an entry must not be null.
    if (hasMerged && !hasDefault && at.length > 1) return 'a map that is merged into this one has the same entry';
    if (isOwn && !isAlias(pair.value) && !hasDefault && !hasMerged) removePair(map, pair.key as Node);
    else if (pair && isScalar(pair.value)) setScalar(pair.value, null);
    else setPair(map, pair, name, document.createNode(null));
    return null;
  }
  if (pair && isScalar(pair.value) && typeof value !== 'object') setScalar(pair.value, value);
  else setPair(map, pair, name, document.createNode(escaped(value)));
  return null;
}

/** Whether a map that is merged into this map has the field `name`. Fields of this map itself do not count. */
function isMerged(map: YAMLMap, name: string, document: Document, seen = new Set<YAMLMap>()): boolean {
  // Each map is searched once: the same map may be merged in very many ways.
  if (seen.has(map)) return false;
  seen.add(map);
  const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node);
  return map.items
    .filter((pair) => keyText(pair) === '<<')
    .map(({ value }) => resolved(value))
    .flatMap((value) => (isSeq(value) ? value.items : [value]))
    .map(resolved)
    .some(
      (merged) =>
        isMap(merged) &&
        (merged.items.some((pair) => keyText(pair) === name) || isMerged(merged, name, document, seen)),
    );
}

/**
 * Returns the map that contains the last part of a path, and creates missing maps. If there can be no such map, returns
 * the reason as text.
 */
function innerMap(root: YAMLMap, at: readonly string[], { written, document }: Place): YAMLMap | string {
  let map = root;
  for (const [depth, name] of at.slice(0, -1).entries()) {
    const pair = map.items.find((one) => keyText(one) === name);
    if (isAlias(pair?.value)) return `\`${at.slice(0, depth + 1).join('.')}\` is an alias`;
    if (isMap(pair?.value)) {
      map = pair.value;
      continue;
    }
    // If this map comes from a merged anchor, a new map in the item would hide all its entries, because YAML does not
    // merge inner maps. If it comes from the manifest's defaults, a new map hides nothing, because defaults are merged
    // entry by entry.
    const { found, tree } = locate(written.tree, at.slice(0, depth + 1).join('.'));
    if (found && isMapTree(tree) && tree.origin.via === 'item' && tree.origin.node !== null)
      return 'the value is merged from an anchor';
    const inner = document.createNode({}) as YAMLMap;
    inner.flow = map.flow ?? false;
    setPair(map, pair, name, inner);
    map = inner;
  }
  return map;
}

function setPair(map: YAMLMap, pair: Pair | undefined, name: string, node: Node): void {
  if (pair) pair.value = withComment(node, pair.value as Node | null);
  else map.items.push(new Pair(new Scalar(name), node));
}
