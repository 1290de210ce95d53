import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Fields } from './kind.ts';

/** The fields that a schema's shape knows and that are not at their default, in the order of the contract. */
export function besidesDefaults(shape: Readonly<Record<string, z.ZodType>>, fields: Fields): Fields {
  const written = Object.entries(shape).filter(([field, schema]) => {
    if (fields[field] === undefined) return false;
    const fallback = schema.safeParse(undefined);
    return !(fallback.success && isDeepStrictEqual(fallback.data, fields[field]));
  });
  return Object.fromEntries(written.map(([field]) => [field, fields[field]]));
}
