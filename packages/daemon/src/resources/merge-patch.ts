import { faultAt, headerFields } from '@uptime/sdk/contract';
import { invalid } from '../errors.ts';

/**
 * The fields whose entries a patch changes one by one. A patch replaces every other field as a whole. `map` marks a
 * field such as `headers`, whose entries can have any names.
 */
export interface Merged {
  [field: string]: Merged | 'map';
}

/**
 * Returns the fields of a resource after a JSON merge patch (RFC 7396). Null removes the value of a field, so that the
 * validation sets the field's default. The result is not validated yet. Throws `invalid_request` for a body that is not
 * an object.
 */
export function mergePatch(stored: object, patch: unknown, merged: Merged): Record<string, unknown> {
  if (!isObject(patch)) throw invalid([faultAt('', 'wrong_type', { expected: ['record'], format: null })]);
  return merge(stored, patch, merged);
}

function merge(target: object, patch: object, merged: Merged | 'map'): Record<string, unknown> {
  const result = new Map(Object.entries(target) as [string, unknown][]);
  for (const [field, value] of Object.entries(patch) as [string, unknown][]) {
    const old = result.get(field);
    const deep = merged !== 'map' && Object.hasOwn(merged, field) ? merged[field] : undefined;
    if (value === null && merged === 'map') result.delete(field);
    // The field stays, with the value undefined, so that the validation still sees an unknown name and refuses it.
    else if (value === null) result.set(field, undefined);
    else if (deep && isObject(value)) {
      const entries = isObject(old) ? old : {};
      result.set(field, merge(headerFields.has(field) ? withoutRespelled(entries, value) : entries, value, deep));
    } else result.set(field, value);
  }
  return Object.fromEntries(result);
}

/**
 * Returns the stored headers without those that the patch sets in another spelling, because names that differ only in
 * case are the same header.
 */
function withoutRespelled(stored: Record<string, unknown>, patch: object): Record<string, unknown> {
  const set = Object.entries(patch).filter(([, value]) => value !== null);
  const names = new Set(set.map(([name]) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(stored).filter(([name]) => Object.hasOwn(patch, name) || !names.has(name.toLowerCase())),
  );
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
