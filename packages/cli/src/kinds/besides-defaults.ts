import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { Fields } from './kind.ts';

/** Returns the fields of an item that are in the schema and differ from their defaults, in the order of the schema. */
export function besidesDefaults(shape: Readonly<Record<string, z.ZodType>>, fields: Fields): Fields {
  const written = Object.entries(shape).filter(([field, schema]) => {
    // `managedBy` is left out, because a manifest names it once at its top, for all items.
    if (fields[field] === undefined || field === 'managedBy') return false;
    const fallback = schema.safeParse(undefined);
    return !(fallback.success && isDeepStrictEqual(fallback.data, fields[field]));
  });
  return Object.fromEntries(written.map(([field]) => [field, fields[field]]));
}
