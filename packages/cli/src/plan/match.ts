import { type Fields, fieldsOf, identityOf, type Kind, type Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';

/** The result of matching wanted items with resources on the server. */
export interface Matched {
  pairs: Map<Wanted, Remote>;
  /** Resources on the server that match no wanted item. */
  unmatched: Remote[];
  /** Wanted items that match several resources on the server. */
  ambiguous: { wanted: Wanted; candidates: Remote[] }[];
}

/**
 * Finds the resource on the server for each wanted item of a kind:
 * - An item with a `key` matches the resource with this key.
 * - An item without a key matches by its name, or by the `identity` of its kind, such as the title and start of a
 *   window.
 * - An item with a new key matches by its name, among resources without a key. So a resource keeps its history when it
 *   gets a key.
 * - An item with `renamedFrom` matches by its earlier key, or else by its earlier name.
 * If several resources have the name, a resource that `owner` manages is preferred, then one that no manifest manages.
 * If several are left, one with the item's type is preferred: an interrupted replacement leaves two resources with one
 * name, but with different types.
 */
export function match(
  kind: Kind,
  wanted: readonly Wanted[],
  remotes: readonly Remote[],
  owner: string | null = null,
): Matched {
  const pairs = new Map<Wanted, Remote>();
  const ambiguous: Matched['ambiguous'] = [];
  const unmatched = new Set(remotes);
  const pair = (item: Wanted, remote: Remote) => {
    pairs.set(item, remote);
    unmatched.delete(remote);
  };

  const byKey = new Map(remotes.filter(({ key }) => key != null).map((remote) => [remote.key, remote]));
  const keyed = wanted.filter(({ value }) => value.key !== null);
  for (const item of keyed) {
    const found = byKey.get(item.value.key);
    if (found) pair(item, found);
  }

  const byName = Map.groupBy(remotes, (remote) => identityOf(kind, fieldsOf(remote)));
  const takeByName = (item: Wanted, fits: (remote: Remote) => boolean, named: Fields = item.value) => {
    const all = (byName.get(identityOf(kind, named)) ?? []).filter((remote) => unmatched.has(remote) && fits(remote));
    const candidates = nearestOwned(all, owner);
    const { fixed } = kind;
    const alike = fixed ? candidates.filter((remote) => fieldsOf(remote)[fixed] === item.value[fixed]) : [];
    const [found, ...more] = alike.length > 0 ? alike : candidates;
    if (more.length > 0) ambiguous.push({ wanted: item, candidates: [...candidates] });
    else if (found) pair(item, found);
  };
  for (const item of wanted) if (item.value.key === null) takeByName(item, () => true);
  for (const item of keyed) if (!pairs.has(item)) takeByName(item, ({ key }) => key == null);

  for (const item of wanted) {
    const { renamedFrom, value } = item;
    if (renamedFrom === null || pairs.has(item)) continue;
    const keyed = byKey.get(renamedFrom);
    if (keyed && unmatched.has(keyed)) pair(item, keyed);
    else takeByName(item, () => true, { ...value, name: renamedFrom });
  }

  return { pairs, unmatched: [...unmatched], ambiguous };
}

/**
 * Returns the resources that the owner manages. If there are none, returns those that no manifest manages, or else all.
 */
function nearestOwned(remotes: readonly Remote[], owner: string | null): readonly Remote[] {
  const [own, free] = [owner, null].map((one) => remotes.filter((remote) => (remote.managedBy ?? null) === one));
  return [own!, free!, remotes].find(({ length }) => length > 0) ?? [];
}
