import { fieldsOf, identityOf, type Kind, type Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';

/** Which resource of the server each wanted one is. */
export interface Matched {
  pairs: Map<Wanted, Remote>;
  /** Resources of the server that no wanted one is. */
  left: Remote[];
  /** Wanted items whose name fits several on the server. */
  ambiguous: { wanted: Wanted; candidates: Remote[] }[];
}

/**
 * Finds each wanted item of a kind on the server: (1) by `key`; (2) those without a key by name, or what it has in place of it; (3) one whose key the server
 * does not have yet takes over the resource of its name that has no key, so that giving a key to what exists keeps its history.
 * Of several of one name it is the one of its own type: a replacement that broke off leaves the old one beside the new one.
 */
export function match(kind: Kind, wanted: readonly Wanted[], remotes: readonly Remote[]): Matched {
  const pairs = new Map<Wanted, Remote>();
  const ambiguous: Matched['ambiguous'] = [];
  const left = new Set(remotes);
  const pair = (item: Wanted, remote: Remote) => {
    pairs.set(item, remote);
    left.delete(remote);
  };

  const byKey = new Map(remotes.filter(({ key }) => key != null).map((remote) => [remote.key, remote]));
  const keyed = wanted.filter(({ value }) => value.key !== null);
  for (const item of keyed) {
    const found = byKey.get(item.value.key);
    if (found) pair(item, found);
  }

  const byName = Map.groupBy(remotes, (remote) => identityOf(kind, fieldsOf(remote)));
  const takeByName = (item: Wanted, fits: (remote: Remote) => boolean) => {
    const candidates = (byName.get(identityOf(kind, item.value)) ?? []).filter(
      (remote) => left.has(remote) && fits(remote),
    );
    const { fixed } = kind;
    const alike = fixed ? candidates.filter((remote) => fieldsOf(remote)[fixed] === item.value[fixed]) : [];
    const [found, ...more] = alike.length > 0 ? alike : candidates;
    if (more.length > 0) ambiguous.push({ wanted: item, candidates });
    else if (found) pair(item, found);
  };
  for (const item of wanted) if (item.value.key === null) takeByName(item, () => true);
  for (const item of keyed) if (!pairs.has(item)) takeByName(item, ({ key }) => key == null);

  return { pairs, left: [...left], ambiguous };
}
