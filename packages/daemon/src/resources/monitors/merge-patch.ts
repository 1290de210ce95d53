import type { NormalMonitor } from '@uptime/sdk/contract';
import { invalid } from '../../errors.ts';

/** Fields whose entries are merged one by one; every other field is replaced as a whole. */
const merged = ['labels', 'headers'];

/**
 * A JSON merge patch (RFC 7396) onto a monitor's own fields: null takes a field out, so that its default comes back.
 * What comes out is not validated yet. Throws `invalid_request` for a body that is no object or changes the type.
 */
export function mergePatch(stored: NormalMonitor, patch: unknown): Record<string, unknown> {
  if (!isObject(patch)) throw invalid([{ path: '', message: 'must be a JSON object' }]);
  if (patch.type !== undefined && patch.type !== stored.type) {
    throw invalid([{ path: 'type', message: `cannot be changed: this monitor is of type ${stored.type}` }]);
  }
  return merge({ ...stored }, patch, (field) => merged.includes(field));
}

function merge(target: Record<string, unknown>, patch: object, deep: (field: string) => boolean) {
  const result = new Map(Object.entries(target));
  for (const [field, value] of Object.entries(patch)) {
    const old = result.get(field);
    if (value === null) result.delete(field);
    else if (deep(field) && isObject(value)) {
      const entries = isObject(old) ? old : {};
      result.set(
        field,
        merge(field === 'headers' ? withoutRespelled(entries, value) : entries, value, () => false),
      );
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
