import { isCollection, isMap, isSeq, type Node, type YAMLMap } from 'yaml';

/** Returns all comments of these nodes, including comments inside the nodes. */
export function commentsOf(...nodes: readonly (Node | null | undefined)[]): string[] {
  return nodes.flatMap((node) => {
    if (!node) return [];
    const own = [node.commentBefore, node.comment].filter((text): text is string => Boolean(text));
    if (isMap(node)) return [...own, ...node.items.flatMap((pair) => commentsOf(pair.key as Node, pair.value as Node))];
    return isSeq(node) ? [...own, ...node.items.flatMap((item) => commentsOf(item as Node))] : own;
  });
}

/** Adds comments above the node `next`. Without `next`, adds them at the end of the node `within`. */
export function moveComments(comments: readonly string[], within: Node, next: Node | undefined): void {
  if (comments.length === 0) return;
  if (next) next.commentBefore = [...comments, next.commentBefore].filter(Boolean).join('\n');
  else within.comment = [within.comment, ...comments].filter(Boolean).join('\n');
}

/** Removes an entry of a map. Moves its comments to the next entry, or to the end of the map. */
export function removePair(map: YAMLMap, key: Node): void {
  const index = map.items.findIndex((pair) => pair.key === key);
  const pair = map.items[index]!;
  map.items.splice(index, 1);
  moveComments(commentsOf(pair.key as Node, pair.value as Node | null), map, map.items[index]?.key as Node | undefined);
}

/**
 * Gives a node the comments of the node that it replaces. If the old node is a list or map on one line, the new node
 * is on one line too.
 */
export function withComment(node: Node, old: Node | null): Node {
  if (isCollection(node) && isCollection(old) && old.flow) node.flow = true;
  const inner = commentsOf(old);
  if (old?.comment && inner.length === (old.commentBefore ? 2 : 1)) node.comment = old.comment;
  else if (inner.length > 0) return Object.assign(node, { commentBefore: inner.join('\n') });
  if (old?.commentBefore) node.commentBefore = old.commentBefore;
  return node;
}
