import { invalid } from '../errors.ts';

/** Fields whose entries are merged one by one, a map by names that are free; every other field is replaced as a whole. */
export interface Merged {
  [field: string]: Merged | 'map';
}

/**
 * A JSON merge patch (RFC 7396) onto a resource's own fields: null takes a field's value out, so that its default comes
 * back. What comes out is not validated yet. Throws `invalid_request` for a body that is no object.
 */
export function mergePatch(stored: object, patch: unknown, merged: Merged): Record<string, unknown> {
  if (!isObject(patch)) throw invalid([{ path: '', message: 'must be a JSON object' }]);
  return merge(stored, patch, merged);
}

function merge(target: object, patch: object, merged: Merged | 'map'): Record<string, unknown> {
  const result = new Map(Object.entries(target) as [string, unknown][]);
  for (const [field, value] of Object.entries(patch) as [string, unknown][]) {
    const old = result.get(field);
    const deep = merged !== 'map' && Object.hasOwn(merged, field) ? merged[field] : undefined;
    if (value === null && merged === 'map') result.delete(field);
    // Its name stays, so that validation refuses one that is unknown.
    else if (value === null) result.set(field, undefined);
    else if (deep && isObject(value)) {
      const entries = isObject(old) ? old : {};
      result.set(field, merge(field === 'headers' ? withoutRespelled(entries, value) : entries, value, deep));
    } else result.set(field, value);
  }
  return Object.fromEntries(result);
}

/** Header names that differ in case alone are one: the patch's spelling takes the place of the stored one. */
function withoutRespelled(stored: Record<string, unknown>, patch: object): Record<string, unknown> {
  const set = Object.entries(patch).filter(([, value]) => value !== null);
  const names = new Set(set.map(([name]) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(stored).filter(([name]) => Object.hasOwn(patch, name) || !names.has(name.toLowerCase())),
  );
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
