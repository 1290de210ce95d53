import { nearest } from '@uptime/sdk/contract';
import { type Fields, fieldsOf, type Kind, type KindName, type Remote } from '../kinds/kind.ts';
import { plain } from '../output.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Wanted } from './item.ts';

/** The target of a reference: an item of the manifest, or a resource that only the server has. */
export interface Target {
  key: string | null;
  name: string;
  wanted: Wanted | null;
  /** The resource on the server; null if it does not exist yet, or if the plan replaces it, which changes its id. */
  current: Remote | null;
}

/** Returns how a plan names a target: by its key, or else by its name. */
export const labelOf = ({ key, name }: { key?: string | null; name: string }): string => key ?? name;

/** Finds the targets of one kind. */
export interface Lookup {
  /** Finds a target by its key, or else by its name. */
  find: (word: string) => { target: Target } | { fault: string };
  /**
   * Returns the targets that have all of these labels. If the manifest lists any targets of this kind, leaves out the
   * targets that only the server has.
   */
  withLabels: (labels: Readonly<Record<string, string>>) => Target[];
}

/** Creates a lookup among targets. It prefers items of the manifest to resources that only the server has. */
export function lookupIn(targets: readonly Target[], { one, many }: Kind): Lookup {
  const byKey = new Map(targets.flatMap((target) => (target.key === null ? [] : [[target.key, target] as const])));
  const byName = Map.groupBy(targets, ({ name }) => name);
  const own = targets.filter(({ wanted }) => wanted !== null);
  const withLabels: Lookup['withLabels'] = (labels) =>
    (own.length > 0 ? own : targets).filter((target) => {
      const has = labelsOf(target);
      return Object.entries(labels).every(([name, value]) => Object.hasOwn(has, name) && has[name] === value);
    });
  const find: Lookup['find'] = (word) => {
    const keyed = byKey.get(word);
    const named = byName.get(word) ?? [];
    const own = named.filter(({ wanted }) => wanted !== null);
    const [target, ...more] = keyed ? [keyed] : own.length > 0 ? own : named;
    if (!target) {
      const meant = nearest(word, [...byKey.keys(), ...byName.keys()]);
      return {
        fault: `no ${one} has the key or name ${quoted(word)}${meant ? `; did you mean ${quoted(meant)}?` : ''}`,
      };
    }
    if (more.length === 0) return { target };
    return {
      fault: `${more.length + 1} ${many} are named ${quoted(word)}; give each a \`key\`, and refer to one by its key`,
    };
  };
  return { find, withLabels };
}

function labelsOf({ wanted, current }: Target): Fields {
  const fields: Fields = wanted?.value ?? (current ? fieldsOf(current) : {});
  return (fields['labels'] as Fields | undefined) ?? {};
}

/**
 * Resolves the references of an item. Returns their targets by field, and a fault for each reference that matches no
 * target, or several. Ignores references to kinds without a lookup.
 */
export function resolveReferences(
  item: Wanted,
  lookups: ReadonlyMap<KindName, Lookup>,
): { targets: Record<string, readonly Target[]>; faults: Diagnostic[] } {
  const faults: Diagnostic[] = [];
  const targets: Record<string, readonly Target[]> = {};
  for (const [field, { kind }] of Object.entries(item.kind.references)) {
    const lookup = lookups.get(kind);
    if (!lookup) continue;
    const found = (item.value[field] as string[]).flatMap((word, index) => {
      const answer = lookup.find(word);
      if ('target' in answer) return [answer.target];
      faults.push({ ...item.place(`${field}.${index}`), message: answer.fault });
      return [];
    });
    const selected = field === 'monitors' && item.monitorsWith ? lookup.withLabels(item.monitorsWith) : null;
    if (selected?.length === 0) {
      faults.push({ ...item.place('monitorsWith'), message: `no monitor has ${labelText(item.monitorsWith!)}` });
    }
    targets[field] = [...new Set([...found, ...(selected ?? [])])];
  }
  return { targets, faults };
}

const labelText = (labels: Readonly<Record<string, string>>): string =>
  `the ${Object.keys(labels).length === 1 ? 'label' : 'labels'} ${Object.entries(labels)
    .map(([name, value]) => `${plain(name)}: ${plain(value)}`)
    .join(', ')}`;

const quoted = (word: string): string => JSON.stringify(plain(word));

/**
 * Returns a fault for each reference that matches no target, or several. Checks only references to the kinds in
 * `whole`: all items of these kinds are known. Ignores maintenance windows that are over at `now`. With `remotes`,
 * resources on the server are targets too.
 */
export function danglingReferences(
  items: readonly Wanted[],
  whole: readonly Kind[],
  now: number,
  remotes: ReadonlyMap<Kind, readonly Remote[]> = new Map(),
): Diagnostic[] {
  const targets = (kind: Kind): Target[] => [
    ...(remotes.get(kind) ?? []).map(remoteTarget),
    ...items.filter((item) => item.kind === kind).map(wantedTarget),
  ];
  const lookups = new Map(whole.map((kind) => [kind.name, lookupIn(targets(kind), kind)]));
  const standing = items.filter(({ kind, value }) => kind.phase?.(value, now) !== 'over');
  return standing.flatMap((item) => resolveReferences(item, lookups).faults);
}

const remoteTarget = (current: Remote): Target => ({
  key: current.key ?? null,
  name: String(fieldsOf(current)['name']),
  wanted: null,
  current,
});

const wantedTarget = (wanted: Wanted): Target => ({
  key: wanted.value.key,
  name: wanted.value.name,
  wanted,
  current: null,
});
