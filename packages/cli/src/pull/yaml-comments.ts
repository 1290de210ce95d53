import { isCollection, isMap, isSeq, type Node, type YAMLMap } from 'yaml';

/** Returns every comment on these nodes and within them. */
export function commentsOf(...nodes: readonly (Node | null | undefined)[]): string[] {
  return nodes.flatMap((node) => {
    if (!node) return [];
    const own = [node.commentBefore, node.comment].filter((text): text is string => Boolean(text));
    if (isMap(node)) return [...own, ...node.items.flatMap((pair) => commentsOf(pair.key as Node, pair.value as Node))];
    return isSeq(node) ? [...own, ...node.items.flatMap((item) => commentsOf(item as Node))] : own;
  });
}

/** Adds comments before the next node, or at the end of the node `within`. */
export function moveComments(comments: readonly string[], within: Node, next: Node | undefined): void {
  if (comments.length === 0) return;
  if (next) next.commentBefore = [...comments, next.commentBefore].filter(Boolean).join('\n');
  else within.comment = [within.comment, ...comments].filter(Boolean).join('\n');
}

/** Removes a pair of a map, and moves its comments to the next one or to the end of the map. */
export function removePair(map: YAMLMap, key: Node): void {
  const index = map.items.findIndex((pair) => pair.key === key);
  const pair = map.items[index]!;
  map.items.splice(index, 1);
  moveComments(commentsOf(pair.key as Node, pair.value as Node | null), map, map.items[index]?.key as Node | undefined);
}

/** Gives a node the comments of the one that it replaces. A list or map of one line stays one line. */
export function withComment(node: Node, old: Node | null): Node {
  if (isCollection(node) && isCollection(old) && old.flow) node.flow = true;
  const inner = commentsOf(old);
  if (old?.comment && inner.length === (old.commentBefore ? 2 : 1)) node.comment = old.comment;
  else if (inner.length > 0) return Object.assign(node, { commentBefore: inner.join('\n') });
  if (old?.commentBefore) node.commentBefore = old.commentBefore;
  return node;
}
