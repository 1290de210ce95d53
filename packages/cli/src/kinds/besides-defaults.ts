import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { Fields } from './kind.ts';

/** Returns the known fields of an item that differ from their defaults, in the order of the schema. */
export function besidesDefaults(shape: Readonly<Record<string, z.ZodType>>, fields: Fields): Fields {
  const written = Object.entries(shape).filter(([field, schema]) => {
    // A manifest names the owner of its items once, at its top.
    if (fields[field] === undefined || field === 'managedBy') return false;
    const fallback = schema.safeParse(undefined);
    return !(fallback.success && isDeepStrictEqual(fallback.data, fields[field]));
  });
  return Object.fromEntries(written.map(([field]) => [field, fields[field]]));
}
