import { whole } from '../kinds/compare.ts';
import { fieldsOf, type Fields, type Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import { labelOf } from '../manifest/references.ts';
import type { FieldChange, Targets } from './change.ts';

/**
 * Returns the fields in which a resource differs from the wanted one, in the order of the contract. References are left
 * out.
 */
export function fieldChanges({ kind, value, given, hides }: Wanted, current: Remote): FieldChange[] {
  const actual = fieldsOf(current);
  return Object.keys(value).flatMap((field): FieldChange[] => {
    if (field === kind.fixed || field in kind.references) return [];
    const [from, to] = [actual[field], value[field]];
    // A server that does not return a field is too old to know the field. If the manifest leaves the field out, nothing
    // differs. A `key` or `managedBy` is not a difference either, because such a server cannot store it.
    if (from === undefined && (['key', 'managedBy'].includes(field) || !(field in given))) return [];
    const compare = kind.compare[field] ?? whole;
    return compare(from, to, { wanted: value, current }).map((difference) => {
      const at = [field, ...difference.at] as const;
      return { ...difference, at, secret: hides(at.join('.')) };
    });
  });
}

/**
 * Returns the references in which a resource differs from the wanted one. `nameOf` returns the key or name for an id.
 */
export function referenceChanges(
  { kind }: Wanted,
  current: Remote,
  targets: Targets,
  nameOf: (id: string) => string,
): FieldChange[] {
  return Object.entries(targets).flatMap(([field, wanted]): FieldChange[] => {
    const { ids, ordered } = kind.references[field]!;
    const from = asIds(fieldsOf(current)[ids]);
    const to = wanted.map(({ current: there }) => there?.id ?? null);
    if (ordered ? sameOrder(from, to) : sameMembers(from, to)) return [];
    return [{ at: [field], from: from.map(nameOf), to: wanted.map(labelOf), secret: false }];
  });
}

/**
 * Returns the merge patch for changes of fields, except references. It contains null for a removed entry of a map.
 */
export function patchFrom(changes: readonly FieldChange[]): Fields {
  return changes.reduce<Fields>((patch, { at, to }) => put(patch, at, to), {});
}

const put = (patch: Fields, [name = '', ...rest]: readonly string[], to: unknown): Fields => ({
  ...patch,
  [name]: rest.length === 0 ? (to ?? null) : put((patch[name] as Fields | undefined) ?? {}, rest, to),
});

const asIds = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const sameMembers = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  const members = new Set(b);
  return a.length === b.length && a.every((one) => members.has(one));
};

const sameOrder = (a: readonly (string | null)[], b: readonly (string | null)[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);
