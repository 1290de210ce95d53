import { isDeepStrictEqual } from 'node:util';
import { validate, faultAt } from '@uptime/sdk/contract';
import type * as z from 'zod';
import { invalid } from '../errors.ts';
import { isObject } from './merge-patch.ts';

/**
 * Read-only fields that the server may change between a client's read and its write. The client may send back the old
 * values of these fields.
 */
const fieldsThatMayChange = [
  'lastCheckedAt',
  'nextCheckAt',
  'regionResults',
  'lastPingAt',
  'certificate',
  'domain',
  'lastSentAt',
  'lastError',
  'confirmedAt',
  'secretsError',
];

/**
 * Removes unchanged read-only fields from a patch, so that a client can send back a whole response. Throws
 * `invalid_request` with the names of the read-only fields that the patch would change. If the patch
 * contains the id or creation time, the client sent back a whole response. Then old values of `fieldsThatMayChange` are
 * ignored. `show` reads the resource. It is called only if the patch has a field that is not writable.
 */
export async function withoutReadOnly(
  patch: unknown,
  writable: z.ZodObject,
  show: () => object | Promise<object>,
): Promise<unknown> {
  if (!isObject(patch) || Object.keys(patch).every((field) => Object.hasOwn(writable.shape, field))) return patch;
  const shown = new Map(Object.entries(await show()).filter(([field]) => !Object.hasOwn(writable.shape, field)));
  const wasRead = ['id', 'createdAt'].some((field) => shown.has(field) && patch[field] === shown.get(field));
  const changed = Object.entries(patch).filter(
    ([field, value]) =>
      shown.has(field) &&
      !isDeepStrictEqual(value, shown.get(field)) &&
      !(wasRead && (fieldsThatMayChange.includes(field) || isFirstStatus(field, value))),
  );
  const faults = changed.map(([path]) => faultAt(path, 'read_only'));
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(Object.entries(patch).filter(([field]) => !shown.has(field)));
}

/**
 * Whether the field is the status `pending` of a new monitor. Its first check may run after the client's read, so
 * sending back `pending` is not a change.
 */
const isFirstStatus = (field: string, value: unknown) => field === 'status' && value === 'pending';

/** Returns a patch after `withoutReadOnly`, validated by the schema of the writable fields. */
export async function patchSentBack<S extends z.ZodObject>(
  patch: unknown,
  writable: S,
  show: () => object | Promise<object>,
): Promise<z.output<S>> {
  const parsed = validate(writable, await withoutReadOnly(patch, writable, show));
  if (!parsed.ok) throw invalid(parsed.faults);
  return parsed.value;
}
