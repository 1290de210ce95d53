import { isMapTree, type Leaf, type MapTree, mapTree, type Tree } from './tree.ts';

/** Whether a field is `null`, which removes the value of the layer below. */
const isNothing = (tree: Tree): tree is Leaf => tree.is === 'leaf' && tree.value === null && !tree.broken;

/**
 * Lays one map over another. Fields of the upper one win, maps within merge entry by entry, and `null` removes what is
 * below it. Values keep their origins. The `null` stays in the result, and is marked. So it also removes the field of a
 * map that is merged in below later. At the end, `withoutRemoved` leaves out the marked fields.
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

/** Leaves out the fields that a layer has removed. */
export function withoutRemoved(tree: MapTree): MapTree {
  const kept = [...tree.entries].flatMap(([name, inner]): [string, Tree][] => {
    if (inner.is === 'leaf' && inner.removes) return [];
    return [[name, isMapTree(inner) ? withoutRemoved(inner) : inner]];
  });
  return { ...mapTree(new Map(kept), tree.origin), lost: tree.lost };
}
