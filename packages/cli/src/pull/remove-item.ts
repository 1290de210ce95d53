import { type Document, isAlias, isMap, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Kind } from '../kinds/kind.ts';
import { keyText } from '../manifest/grow-tree.ts';
import type { Wanted } from '../manifest/item.ts';
import type { Pulling } from './pulling.ts';
import { hasUsedAnchor } from './used-anchors.ts';
import { commentsOf, moveComments, removePair } from './yaml-comments.ts';

/**
 * Removes an item and its overrides, because the server does not have this resource. The comments of the removed parts
 * stay in the file. Returns null, or the reason why the item cannot be removed.
 */
export function removeItem({ written, kind, value }: Wanted, pulling: Pulling): string | null {
  if (!written) return 'the item was not read from a file';
  if (written.isOneOfMany) return 'a `forEach` makes this item together with others';
  const { document } = written.document;
  const list = document.get(kind.list);
  const { node } = written.written.origin;
  const index = isSeq(list) ? list.items.indexOf(node) : -1;
  if (!isSeq(list) || index < 0) return 'the item is part of a YAML alias';
  if (hasUsedAnchor(document, node!))
    return 'other parts of the file use an anchor in this item, so remove the item by hand';
  list.items.splice(index, 1);
  moveComments(commentsOf(node), list, list.items[index] as Node | undefined);
  for (const { map, pair } of namedOverrides(kind, [value.key, value.name], pulling)) removePair(map, pair.key as Node);
  return null;
}

/**
 * Returns the overrides for items with these keys or names, in every environment. Marks the documents with these
 * overrides as edited.
 */
export function* namedOverrides(
  { list }: Kind,
  words: readonly (string | null)[],
  { documents, edited }: Pick<Pulling, 'documents' | 'edited'>,
): Generator<{ map: YAMLMap; pair: Pair; document: Document }> {
  for (const { document: parsed } of documents) {
    const { document } = parsed;
    const environments = document.get('overrides');
    for (const { value } of isMap(environments) ? environments.items : []) {
      const map = isMap(value) ? value.get(list) : undefined;
      if (!isMap(map) || isAlias(map)) continue;
      const pair = map.items.find((one) => words.includes(keyText(one)));
      if (!pair) continue;
      edited.add(parsed);
      yield { map, pair, document };
    }
  }
}
