import {
  channelTypes,
  type ManifestList,
  manifestLists,
  monitorInputs,
  monitorTypes,
  nearest,
} from '@uptime/sdk/contract';
import type { Kind } from '../kinds/kind.ts';
import type { Diagnostic } from './diagnostic.ts';
import { placeOf } from './grow-tree.ts';
import { mergeTrees, withoutRemoved } from './merge-trees.ts';
import { isMapTree, type MapTree, mapTree, type Tree, via } from './tree.ts';

/**
 * The defaults and overrides in one document. They apply to the items of the document, and to the files that the
 * document includes.
 */
export interface Layer {
  /** The default fields, by the name of a list or of a type. */
  defaults: ReadonlyMap<string, MapTree>;
  /** The overrides of the chosen environment: by list, and then by the key or name of an item. */
  overrides: ReadonlyMap<ManifestList, ReadonlyMap<string, MapTree>>;
  /**
   * The overrides that matched an item. Every other override is reported as a fault, because its key or name may be
   * mistyped.
   */
  taken: Set<MapTree>;
}

type Fault = (tree: Tree, message: string) => void;

/** Reads `defaults:` and `overrides:` of a document. Adds the names of all its environments to `seen`. */
export function readLayer(
  root: MapTree,
  environment: string | null,
  seen: Set<string>,
  fill: (tree: Tree) => Tree,
): { layer: Layer; faults: Diagnostic[] } {
  const faults: Diagnostic[] = [];
  const fault: Fault = ({ origin }, message) => {
    faults.push({ ...placeOf(origin.document, origin.node ?? origin.key), message });
  };
  const own = root.entries.get('defaults');
  const layer: Layer = {
    defaults: own ? readDefaults(fill(own), fault) : new Map(),
    overrides: new Map(),
    taken: new Set(),
  };
  const environments = root.entries.get('overrides');
  if (!environments) return { layer, faults };
  if (!isMapTree(environments)) fault(environments, '`overrides` must be a map from environments to changes');
  else {
    for (const name of environments.entries.keys()) seen.add(name);
    const chosen = environment === null ? undefined : environments.entries.get(environment);
    if (chosen && !isMapTree(chosen)) fault(chosen, `\`overrides.${environment}\` must be a map of lists`);
    else if (chosen) return { layer: withOverrides(layer, fill(chosen) as MapTree, fault), faults };
  }
  return { layer, faults };
}

function readDefaults(tree: Tree, fault: Fault): Map<string, MapTree> {
  if (!isMapTree(tree)) fault(tree, '`defaults` must be a map from lists or types to fields');
  const known: readonly string[] = [...manifestLists, ...monitorTypes, ...channelTypes];
  const entries = isMapTree(tree) ? [...tree.entries] : [];
  return new Map(
    entries.flatMap(([name, fields]) => {
      if (!known.includes(name)) {
        const meant = nearest(name, known);
        fault(
          fields,
          `\`${name}\` is neither a list nor a type; ${meant ? `did you mean \`${meant}\`?` : `expected ${known.join(', ')}`}`,
        );
      } else if (!isMapTree(fields)) fault(fields, `the defaults of \`${name}\` must be a map of fields`);
      else return [[name, via(fields, 'default') as MapTree] as const];
      return [];
    }),
  );
}

function withOverrides(layer: Layer, chosen: MapTree, fault: Fault): Layer {
  const overrides = new Map<ManifestList, ReadonlyMap<string, MapTree>>();
  let { defaults } = layer;
  for (const [name, tree] of chosen.entries) {
    if (name === 'defaults') {
      // These fields are additional defaults for one environment. As with all defaults, the fields of an item replace
      // them.
      const more = readDefaults(tree, fault);
      defaults = new Map(
        [...defaults, ...more].map(([list]) => [list, layered([layer.defaults.get(list), more.get(list)])!]),
      );
      continue;
    }
    const list = manifestLists.find((one) => one === name);
    if (!list) fault(tree, `\`${name}\` is not a list of a manifest; expected defaults, ${manifestLists.join(', ')}`);
    else if (!isMapTree(tree)) fault(tree, `the overrides of \`${name}\` must be a map from keys or names to fields`);
    else {
      const items = [...tree.entries].flatMap(([item, fields]) => {
        if (isMapTree(fields)) return [[item, via(fields, 'override') as MapTree] as const];
        fault(fields, 'an override must be a map of fields');
        return [];
      });
      overrides.set(list, new Map(items));
    }
  }
  return { ...layer, defaults, overrides };
}

/** Merges maps. A field of a later map replaces that of an earlier map. */
const layered = (maps: readonly (MapTree | undefined)[]): MapTree | undefined =>
  maps.reduce((below, above) => (below && above ? mergeTrees(below, above) : (above ?? below)), undefined);

/**
 * Merges the defaults for an item's list and type, the item itself, and the overrides of the environment, in this
 * order. A field of a later part replaces that of an earlier part.
 */
export function layItem(item: MapTree, kind: Kind, layers: readonly Layer[], environment: string | null): MapTree {
  const own = item.entries.get('overrides');
  const bare = own ? without(item, 'overrides') : item;
  const type = textOf(bare, 'type');
  const below = layers.flatMap(({ defaults }) => [
    fitting(defaults.get(kind.list), kind, type),
    type === null ? undefined : defaults.get(type),
  ]);
  const inner = environment !== null && isMapTree(own) ? own.entries.get(environment) : undefined;
  const words = [textOf(bare, 'key'), textOf(bare, kind.name === 'maintenanceWindow' ? 'title' : 'name')];
  const above = layers.toReversed().flatMap(({ overrides, taken }) => {
    const word = words.find((one) => one !== null && overrides.get(kind.list)?.has(one));
    const found = word == null ? undefined : overrides.get(kind.list)?.get(word);
    if (found) taken.add(found);
    return [found];
  });
  const override = isMapTree(inner) ? (via(inner, 'override') as MapTree) : undefined;
  const { entries, lost } = withoutRemoved(layered([...below, bare, override, ...above]) ?? bare);
  // The place of the item stays the same, even if an override changes its fields.
  return { ...bare, entries, lost };
}

/** Returns the overrides that match no item. */
export const unusedOverrides = ({ overrides, taken }: Layer, list: ManifestList): [string, MapTree][] =>
  [...(overrides.get(list) ?? [])].filter(([, tree]) => !taken.has(tree));

/** Returns the defaults for a list. For monitors, leaves out fields that only other types of monitor have. */
function fitting(defaults: MapTree | undefined, { name }: Kind, type: string | null): MapTree | undefined {
  const known = monitorTypes.find((one) => one === type);
  if (!defaults || name !== 'monitor' || !known) return defaults;
  const isForeign = (field: string) =>
    !Object.hasOwn(monitorInputs[known].shape, field) &&
    monitorTypes.some((other) => Object.hasOwn(monitorInputs[other].shape, field));
  return mapTree(new Map([...defaults.entries].filter(([field]) => !isForeign(field))), defaults.origin);
}

export const without = (tree: MapTree, ...fields: readonly string[]): MapTree => ({
  ...tree,
  entries: new Map([...tree.entries].filter(([name]) => !fields.includes(name))),
});

export function textOf(tree: MapTree, field: string): string | null {
  const inner = tree.entries.get(field);
  return inner?.is === 'leaf' && typeof inner.value === 'string' && !inner.broken ? inner.value : null;
}
