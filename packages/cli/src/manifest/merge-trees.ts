import { isMapTree, type Leaf, type MapTree, mapTree, type Tree } from './tree.ts';

/** Whether a field is written as `null`. Such a field removes the value of the layer below. */
const isNothing = (tree: Tree): tree is Leaf => tree.is === 'leaf' && tree.value === null && !tree.broken;

/**
 * Merges two layers. A field of `above` replaces that of `below`, and maps inside are merged entry by entry. Values
 * keep their origins. A `null` in `above` removes the field of `below`. This `null` stays in the result, marked with
 * `removes`. If the result is later merged with a still lower layer, the `null` removes the field of that layer too. At
 * the end, `withoutRemoved` removes the marked fields.
 */
export function mergeTrees(below: MapTree, above: MapTree): MapTree {
  const entries = new Map(above.entries);
  for (const [name, under] of below.entries) {
    const over = above.entries.get(name);
    if (!over) entries.set(name, under);
    else if (isMapTree(over) && isMapTree(under)) entries.set(name, mergeTrees(under, over));
    else if (isNothing(over)) entries.set(name, { ...over, removes: true });
  }
  return { ...mapTree(entries, above.origin), lost: above.lost || below.lost };
}

/** Returns a map without the fields that a layer has removed. */
export function withoutRemoved(tree: MapTree): MapTree {
  const kept = [...tree.entries].flatMap(([name, inner]): [string, Tree][] => {
    if (inner.is === 'leaf' && inner.removes) return [];
    return [[name, isMapTree(inner) ? withoutRemoved(inner) : inner]];
  });
  return { ...mapTree(new Map(kept), tree.origin), lost: tree.lost };
}
