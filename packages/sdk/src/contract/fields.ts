import { z } from 'zod';
import { linePattern, looseLinePattern } from './plain-text.ts';

/**
 * Field shapes that several resources share: ids, times, names, paging. Limits stand here once;
 * validation, OpenAPI, help texts and docs read them from the schemas.
 */

/** One line of text that a person reads. It shows what it holds: nothing in it is invisible, and it is not blank. */
export const line = (max: number) =>
  z.string().regex(linePattern(max), {
    error: `must be 1 to ${max} visible characters on one line`,
  });

export const timestamp = z.string().meta({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`.',
});

/** An instant as a caller may send it: any ISO 8601 date and time with `Z` or an offset. */
export const instant = z.iso.datetime({
  offset: true,
  error: 'must be a date and time with a zone, such as 2026-01-31T08:00:00Z',
});

export const id = (prefix: string, what: string) =>
  z.string().describe(`Opaque id of the ${what}; begins with \`${prefix}_\`.`);

export const key = z
  .string()
  .regex(/^[a-z0-9._-]{1,63}$/, { error: 'must be 1 to 63 of a-z 0-9 . _ -' })
  .nullable()
  .default(null)
  .describe('A stable name of your own, unique for its kind in the project; a rename keeps its history.');

export const name = line(200).describe('Display name, 1 to 200 characters.');

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, { error: 'must be a header name that HTTP allows' });
// Built from code points so that the file itself holds no control characters.
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,8000}$/, {
  error: 'must be a header value that HTTP allows: no line breaks or control characters, at most 8000 characters',
});

/** Most headers of a monitor or channel, and most characters of their names and values together. */
export const mostHeaders = 50;
export const mostHeaderCharacters = 8192;
/** Most labels of a monitor. */
export const mostLabels = 50;

/** Request headers, name to value, as HTTP allows them; `headerFaults` bounds their number and size. */
export const requestHeaders = z.record(headerName, headerValue).meta({ maxProperties: mostHeaders });

/** An http or https address; what a pattern can't say of it, `addressFaults` does. */
export const webAddress = z
  .string()
  .max(2048, { error: 'must be at most 2048 characters' })
  .regex(/^[hH][tT][tT][pP][sS]?:\/\/[^\s\p{Cc}]+$/u, { error: 'must be a full http:// or https:// address' });

export const labels = z
  .record(
    line(63),
    z.string().regex(looseLinePattern(500), {
      error: 'must be at most 500 visible characters on one line',
    }),
  )
  .meta({ maxProperties: mostLabels, description: 'Free labels of your own, name to value.' });

export const date = z.iso
  .date({ error: 'must be a calendar date, such as 2026-01-31' })
  .describe('UTC date, YYYY-MM-DD.');

/** The names of fields alone: they are known, and whatever they hold is taken. */
export const knownOnly = (...shapes: object[]) =>
  Object.fromEntries(shapes.flatMap(Object.keys).map((field) => [field, z.unknown().optional()]));

/** Query of every list: `limit` and `cursor` page it; without them a list answers in full. */
export const paging = {
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, { error: 'must be a whole number from 1 to 1000' })
    .optional()
    .describe('Page size, 1 to 1000. Without it the list answers in full.'),
  cursor: z.string().max(200).optional().describe('Where the next page begins, from the `Link` header.'),
};

export const filters = {
  key: z.string().max(63).optional().describe('Only the one with this key.'),
  name: z.string().max(400).optional().describe('Only those of exactly this name.'),
};

/** Query of a read of the past: both dates inclusive, in UTC; a list like any other, so it pages. */
export const range = (days: number) =>
  z.strictObject({
    from: date.optional().describe(`First UTC day, inclusive. Default: ${days} days ending at \`to\`.`),
    to: date.optional().describe('Last UTC day, inclusive. Default: today.'),
    ...paging,
  });

/** Every field optional, and null allowed on each: a JSON merge patch (RFC 7396) of the given fields. */
export const patchOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>) => {
  const shape: Record<string, z.ZodType> = {};
  for (const [field, type] of Object.entries(schema.shape)) {
    const bare = type instanceof z.ZodDefault ? (type.unwrap() as z.ZodType) : (type as z.ZodType);
    const description = (type as z.ZodType).description ?? bare.description;
    const loose = bare.nullable().optional();
    shape[field] = description === undefined ? loose : loose.describe(description);
  }
  return z.strictObject(
    shape as { [F in keyof S]: z.ZodOptional<z.ZodNullable<S[F] extends z.ZodDefault<infer T> ? T : S[F]>> },
  );
};
