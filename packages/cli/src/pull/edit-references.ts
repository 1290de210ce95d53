import { isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Reference } from '../kinds/kind.ts';
import { keyText } from '../manifest/grow-tree.ts';
import type { Wanted } from '../manifest/item.ts';
import { locate } from '../manifest/tree.ts';
import type { Pulling } from './pulling.ts';
import { escaped } from './set-value.ts';
import { commentsOf, moveComments } from './yaml-comments.ts';

/** A field of an item, and the ids of the resources to which it refers on the server. */
interface Referred {
  field: string;
  ids: readonly string[];
  reference: Reference;
}

/**
 * Writes the names of the resources to which a field refers. Names that are already in the list keep their comments. If
 * the order does not matter, new names are added at the end. Returns null, or the reason why that is not possible.
 */
export function editReferences(
  { written, monitorsWith }: Wanted,
  node: YAMLMap,
  { field, ids, reference }: Referred,
  pulling: Pulling,
): string | null {
  if (field === 'monitors' && monitorsWith) return '`monitorsWith` selects the monitors';
  const found = locate(written!.tree, field);
  if (found.found && found.tree.origin.via === 'override') return 'an override gives the names';
  const { document } = written!.document;
  const create = (id: string): Node => document.createNode(escaped(pulling.nameOf(id)) as string);
  const pair = node.items.find((one) => keyText(one) === field);
  if (!pair) {
    node.add(document.createPair(field, ids.map(create)));
    return null;
  }
  const list = pair.value;
  const isPlain = found.tree.is === 'list' && !found.tree.items.some((item) => item.is === 'leaf' && item.variable);
  if (!isSeq(list) || !isPlain) return 'an alias or a variable gives the names';
  const listItems = (list.items as Node[]).map((item) => ({
    item,
    id: isScalar(item) ? pulling.idOf(reference.kind, String(item.value)) : undefined,
  }));
  const kept = listItems.filter(({ id }) => id !== undefined && ids.includes(id));
  const existing = (id: string) => listItems.find((one) => one.id === id)?.item;
  const added = ids.filter((id) => !existing(id)).map(create);
  list.items = reference.ordered
    ? ids.map((id) => existing(id) ?? create(id))
    : [...kept.map(({ item }) => item), ...added];
  keepRemoved(
    list,
    listItems.filter((one) => !kept.includes(one)).map(({ item }) => item),
  );
  return null;
}

const keepRemoved = (list: YAMLSeq, removed: readonly Node[]): void =>
  moveComments(commentsOf(...removed), list, undefined);
