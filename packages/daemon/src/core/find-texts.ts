/**
 * Called at each position of the searched text where a wanted text ends. `end` is the position after the last
 * character. `length` is the length of the longest wanted text that ends there.
 */
type Found = (end: number, length: number) => void;

/**
 * Returns a function that finds every occurrence of the wanted texts in another text, in one pass (Aho and Corasick,
 * 1975). The time grows with the length of the searched text and of the wanted texts, not with their product.
 */
export function findTexts(wanted: readonly string[]): (text: string, found: Found) => void {
  /**
   * The nodes of a prefix tree of all wanted texts. The number of a node is its index, and 0 is the root. `fallback` is
   * the node at which the search continues if no child matches.
   */
  const nodes: { parent: number; code: number; depth: number; fallback: number; longest: number }[] = [
    { parent: 0, code: 0, depth: 0, fallback: 0, longest: 0 },
  ];
  /**
   * Maps a node and a character to the node's child. One map for all nodes is much smaller than one map for each node.
   */
  const children = new Map<number, number>();
  const childOf = (node: number, code: number) => children.get(node * 65_536 + code);

  for (const text of wanted) {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      let child = childOf(node, code);
      if (child === undefined) {
        child = nodes.push({ parent: node, code, depth: at + 1, fallback: 0, longest: 0 }) - 1;
        children.set(node * 65_536 + code, child);
      }
      node = child;
    }
    nodes[node]!.longest = text.length;
  }

  const step = (from: number, code: number): number => {
    for (let node = from; ; node = nodes[node]!.fallback) {
      const child = childOf(node, code);
      if (child !== undefined || node === 0) return child ?? 0;
    }
  };
  // The loop begins near the root. The fallback of a node is nearer to the root than the node, so the fallback is
  // already complete.
  for (const node of nodes.slice(1).toSorted((a, b) => a.depth - b.depth)) {
    if (node.depth > 1) node.fallback = step(nodes[node.parent]!.fallback, node.code);
    node.longest ||= nodes[node.fallback]!.longest;
  }

  return (text, found) => {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      node = step(node, text.charCodeAt(at));
      const { longest } = nodes[node]!;
      if (longest > 0) found(at + 1, longest);
    }
  };
}
