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
    else if (deep(field) && isObject(value))
      result.set(
        field,
        merge(isObject(old) ? old : {}, value, () => false),
      );
    else result.set(field, value);
  }
  return Object.fromEntries(result);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
