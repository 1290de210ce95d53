import * as z from 'zod';
import { linePattern, looseLinePattern, matches } from './plain-text.ts';

/**
 * Field shapes that several resources share: ids, times, names, paging. Each limit is defined once;
 * validation, OpenAPI, help texts and docs read it from the schemas.
 */

/**
 * Facts about fields that JSON Schema cannot express. `question`: the question of a prompt for the field, if this is not
 * the description. `unit`: the unit of a number.
 */
export const fieldFacts = z.registry<{ question?: string; unit?: 'seconds' }>();

/** One line of text for people: not blank, and without invisible characters. */
export const line = (max: number) => plainText(linePattern(max), `1 to ${max} visible characters on one line`);

/** Like `regex`, but compiles the pattern only when a text is first tested: compiling takes a millisecond. */
const plainText = (pattern: string, error: string) =>
  z
    .string()
    .refine((text) => matches(pattern, text), { error })
    .meta({ pattern });

/** A whole number between two limits, both included. */
export const whole = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

/** A text that may be left out. The default is null. */
export const optionalText = (max: number, about: string) =>
  z
    .string()
    .min(1, { error: 'a text with at least one character; to have none, send null' })
    .max(max)
    .nullable()
    .default(null)
    .describe(about);

export const timestamp = z.string().meta({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`.',
});

/** An instant in a request: any ISO 8601 date and time with `Z` or an offset. */
export const instant = z.iso.datetime({
  offset: true,
  error: 'a date and time with a zone, such as 2026-01-31T08:00:00Z',
});

export const id = (prefix: string, what: string) =>
  z.string().describe(`Opaque id of the ${what}; begins with \`${prefix}_\`.`);

export const key = z
  .string()
  .regex(/^[a-z0-9._-]{1,63}$/, { error: '1 to 63 characters from a-z 0-9 . _ -' })
  .nullable()
  .default(null)
  .describe(
    'A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it.',
  );

export const managedBy = z
  .string()
  .regex(/^(?=[A-Za-z0-9])[A-Za-z0-9._/-]{1,100}$/, {
    error: '1 to 100 characters from A-Z a-z 0-9 . _ - /, and begin with a letter or digit',
  })
  .nullable()
  .default(null)
  .describe(
    'Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest.',
  );

export const name = line(200).describe('Display name, 1 to 200 characters.');

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, { error: 'a header name that HTTP allows' });
// The pattern uses escapes, so that this file contains no control characters.
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,8000}$/, {
  error: 'a header value that HTTP allows: no line breaks or control characters, at most 8000 characters',
});

/** Maximum number of headers of a monitor or channel, and of the characters in all these headers together. */
export const maxHeaders = 50;
export const maxHeaderCharacters = 8192;
/** Maximum number of labels of a monitor. */
export const maxLabels = 50;

/** Request headers, name to value, as HTTP allows them. `headerFaults` limits their number and size. */
export const requestHeaders = z.record(headerName, headerValue).meta({ maxProperties: maxHeaders });

/** Whether a field holds request headers, and not another map, such as labels. */
export const isHeaders = (field: z.ZodType): boolean =>
  field instanceof z.ZodDefault
    ? isHeaders(field.unwrap() as z.ZodType)
    : field instanceof z.ZodRecord && field.keyType === headerName;

/** An http or https address. `addressFaults` finds faults that its pattern cannot detect. */
export const webAddress = z
  .string()
  .max(2048)
  .regex(/^[hH][tT][tT][pP][sS]?:\/\/[^\s\p{Cc}]+$/u, { error: 'a full http:// or https:// address' });

export const labels = z
  .record(line(63), plainText(looseLinePattern(500), 'at most 500 visible characters on one line'))
  .meta({ maxProperties: maxLabels, description: 'Your own labels: a map from names to values.' });

export const date = z.iso.date({ error: 'a calendar date, such as 2026-01-31' }).describe('UTC date, YYYY-MM-DD.');

/** Returns a shape with the fields of all given shapes. Each field is optional, and accepts any value. */
export const knownOnly = (...shapes: object[]) =>
  Object.fromEntries(shapes.flatMap(Object.keys).map((field) => [field, z.unknown().optional()]));

/** Query of every list. `limit` and `cursor` choose a page; without them the whole list is returned. */
export const paging = {
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, { error: 'a whole number from 1 to 1000' })
    .optional()
    .describe('Page size, 1 to 1000. Without it the whole list is returned.'),
  cursor: z.string().max(200).optional().describe('Start of the next page, from the `Link` header.'),
};

export const filters = {
  key: z.string().max(63).optional().describe('Return only the object with this key.'),
  name: z.string().max(400).optional().describe('Return only objects with exactly this name.'),
};

/** Query of a list over past days. Both dates are inclusive and in UTC. The list has pages, like every list. */
export const range = (days: number) =>
  z.strictObject({
    from: date.optional().describe(`First UTC day, inclusive. Default: ${days} days ending at \`to\`.`),
    to: date.optional().describe('Last UTC day, inclusive. Default: today.'),
    ...paging,
  });

/** Makes every field optional and nullable: a JSON merge patch (RFC 7396) of the fields. */
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
