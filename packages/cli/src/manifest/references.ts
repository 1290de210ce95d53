import { nearest } from '@uptime/sdk/contract';
import type { Kind, KindName, Remote } from '../kinds/kind.ts';
import { plain } from '../output.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Wanted } from './item.ts';

/** The target of a reference: an item of the manifest, or a resource that only the server has. */
export interface Target {
  key: string | null;
  name: string;
  wanted: Wanted | null;
  /** The resource on the server, if it keeps its id. */
  current: Remote | null;
}

/** Returns the label of a target in a plan: its key, or its name. */
export const labelOf = ({ key, name }: { key?: string | null; name: string }): string => key ?? name;

/** Looks up a word among the targets of one kind: by key, or else by name. */
export type Lookup = (word: string) => { target: Target } | { fault: string };

/** Creates a lookup in targets. Items of the manifest come before resources that only the server has. */
export function lookupIn(targets: readonly Target[], { one, many }: Kind): Lookup {
  const byKey = new Map(targets.flatMap((target) => (target.key === null ? [] : [[target.key, target] as const])));
  const byName = Map.groupBy(targets, ({ name }) => name);
  return (word) => {
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
}

/**
 * Resolves the references of an item. Returns their targets by field, and a fault for each reference without a target.
 * Leaves out kinds without a lookup.
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
      const answer = lookup(word);
      if ('target' in answer) return [answer.target];
      faults.push({ ...item.place(`${field}.${index}`), message: answer.fault });
      return [];
    });
    targets[field] = [...new Set(found)];
  }
  return { targets, faults };
}

const quoted = (word: string): string => JSON.stringify(plain(word));

/**
 * Finds references that match none or several items, among kinds whose lists are complete. Ignores items that are over
 * by `now`.
 */
export function danglingReferences(items: readonly Wanted[], whole: readonly Kind[], now: number): Diagnostic[] {
  const lookups = new Map(
    whole.map((kind) => [kind.name, lookupIn(items.filter((item) => item.kind === kind).map(wantedTarget), kind)]),
  );
  const standing = items.filter(({ kind, value }) => kind.phase?.(value, now) !== 'over');
  return standing.flatMap((item) => resolveReferences(item, lookups).faults);
}

const wantedTarget = (wanted: Wanted): Target => ({
  key: wanted.value.key,
  name: wanted.value.name,
  wanted,
  current: null,
});
