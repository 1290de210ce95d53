import type { Monitor } from '@uptime/sdk';
import { isDeepStrictEqual } from 'node:util';
import type { Wanted } from '../manifest/item.ts';
import type { FieldChange } from './change.ts';
import { isSensitive } from './secrets.ts';

/** Fields that merge by entry in a PATCH, so that each entry is compared for itself. */
const maps = new Set(['headers', 'labels']);

type Fields = Record<string, unknown>;

/** The fields in which a monitor differs from what is wanted, in the order of the contract. */
export function fieldChanges(wanted: Wanted, current: Monitor): FieldChange[] {
  const desired = wanted.value as Fields;
  const actual = current as unknown as Fields;
  return Object.keys(desired).flatMap((field): FieldChange[] => {
    if (field === 'type') return [];
    const [from, to] = [actual[field], desired[field]];
    // A server that does not know the field can't be told its default; a key it could never keep.
    if (from === undefined && (field === 'key' || !(field in wanted.given))) return [];
    if (maps.has(field)) return entryChanges(field, asMap(from), asMap(to), wanted);
    if (same(field, from, to)) return [];
    return [{ path: field, from, to, secret: hidden(field, wanted) }];
  });
}

/** The merge patch that brings the changes about; a removed entry of a map is sent as null. */
export function patchFrom(changes: readonly FieldChange[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const { path, to } of changes) {
    const map = [...maps].find((field) => path.startsWith(`${field}.`));
    if (!map) patch[path] = to;
    else patch[map] = { ...(patch[map] as Fields | undefined), [path.slice(map.length + 1)]: to ?? null };
  }
  return patch;
}

function entryChanges(field: string, from: Fields, to: Fields, wanted: Wanted): FieldChange[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names
    .filter((name) => own(from, name) !== own(to, name))
    .map((name) => {
      const path = `${field}.${name}`;
      return { path, from: own(from, name), to: own(to, name), secret: hidden(path, wanted) };
    });
}

const hidden = (path: string, wanted: Wanted): boolean => wanted.hides(path) || isSensitive(path);

const own = (map: Fields, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

const asMap = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

// Regions are a set; any other list is compared in order.
const same = (field: string, from: unknown, to: unknown): boolean =>
  field === 'regions' && Array.isArray(from) && Array.isArray(to)
    ? sameSet(from, to)
    : isDeepStrictEqual(from ?? null, to ?? null);

const sameSet = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.every((one) => b.includes(one)) && b.every((one) => a.includes(one));
