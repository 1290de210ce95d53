import { nearest } from '@uptime/sdk/contract';
import type { Kind, KindName, Remote } from '../kinds/kind.ts';
import { plain } from '../output.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Wanted } from './item.ts';

/** What a reference means: an item of the manifest, or what only the server has. */
export interface Target {
  key: string | null;
  name: string;
  wanted: Wanted | null;
  /** As the server has it now, under an id that stays. */
  current: Remote | null;
}

/** What a target goes by in a plan. */
export const labelOf = ({ key, name }: { key?: string | null; name: string }): string => key ?? name;

/** Looks names up among the targets of one kind: by key, else by name. */
export type Lookup = (word: string) => { target: Target } | { fault: string };

/** A lookup in targets; items of the manifest come before what only the server has. */
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
      fault: `${more.length + 1} ${many} are named ${quoted(word)}; give each a \`key\`, and name the one that is meant by it`,
    };
  };
}

/** The targets that each reference of an item means, by field, and a fault at each that means none. A kind without a lookup is left out. */
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

/** References that mean nothing among the items of a kind whose list is whole, or more than one of them; of what is over by `now`, none. */
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
