import { identityOf } from '../kinds/kind.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Wanted } from './item.ts';

/**
 * Returns a fault for each item that repeats a unique value of an earlier item of its kind. Keys, slugs and domains are
 * unique, and so are the names of items without a key. Two maintenance windows must differ in title or start. Also
 * returns a fault for each item whose `renamedFrom` names another item.
 */
export function repeatedItems(items: readonly Wanted[]): Diagnostic[] {
  return [...repeatedIdentities(items), ...repeatedValues(items), ...takenOrigins(items)];
}

function repeatedIdentities(items: readonly Wanted[]): Diagnostic[] {
  const first = new Map<string, Wanted>();
  return items.flatMap((item) => {
    const { kind } = item;
    const { key, name } = item.value;
    const [field, value] = key === null ? (['name', name] as const) : (['key', key] as const);
    const identity = `${kind.name} ${field} ${key ?? identityOf(kind, item.value)}`;
    const earlier = first.get(identity);
    if (!earlier) {
      first.set(identity, item);
      return [];
    }
    const { file, line } = earlier.place(field);
    if (kind.identity) {
      const message = `this ${kind.one} is already at ${file}:${line}; remove one, or give it another start`;
      return [{ ...item.place(''), message }];
    }
    const advice = field === 'key' ? `a key must belong to only one ${kind.one}` : 'rename one, or give each a `key`';
    return [
      {
        ...item.place(field),
        message: `the ${field} ${JSON.stringify(value)} is already used at ${file}:${line}; ${advice}`,
      },
    ];
  });
}

function repeatedValues(items: readonly Wanted[]): Diagnostic[] {
  const first = new Map<string, Wanted>();
  return items.flatMap((item) =>
    (item.kind.unique ?? []).flatMap((field) => {
      const value = item.value[field];
      if (typeof value !== 'string') return [];
      const what = `${item.kind.name} ${field} ${value}`;
      const earlier = first.get(what);
      if (!earlier) {
        first.set(what, item);
        return [];
      }
      const { file, line } = earlier.place(field);
      const message = `the \`${field}\` ${JSON.stringify(value)} is already used at ${file}:${line}; give each ${item.kind.one} its own`;
      return [{ ...item.place(field), message }];
    }),
  );
}

/** Returns a fault for each item whose `renamedFrom` is a key or name that another item of its kind still has. */
function takenOrigins(items: readonly Wanted[]): Diagnostic[] {
  const renamed = items.filter(({ renamedFrom }) => renamedFrom !== null);
  return renamed.flatMap((item) => {
    const other = items.find(
      ({ kind, value }) =>
        kind === item.kind && value !== item.value && [value.key, value.name].includes(item.renamedFrom),
    );
    if (!other) return [];
    const { file, line } = other.place('');
    const message = `\`renamedFrom\` names the ${item.kind.one} at ${file}:${line}, which is still in the manifest; remove that ${item.kind.one}, or \`renamedFrom\``;
    return [{ ...item.place('renamedFrom'), message }];
  });
}
