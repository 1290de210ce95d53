import { expect, test } from 'vitest';
import * as z from 'zod';
import { validate } from './validate.ts';

/** The faults of a value, as `path code: sentence`. */
const faultsOf = (schema: z.ZodType, value: unknown) => {
  const parsed = validate(z.strictObject({ field: schema }), { field: value });
  return parsed.ok ? [] : parsed.faults.map(({ path, code, message }) => `${path} ${code}: ${message}`);
};

test.each([
  ['a missing value', z.string(), undefined, 'field required: is required'],
  [
    'a missing value of a schema with a format',
    z.string({ error: 'a slug' }),
    undefined,
    'field required: must be a slug',
  ],
  ['null', z.string(), null, 'field wrong_type: must be a string'],
  ['a text in place of a number', z.number(), '5', 'field wrong_type: must be a number'],
  ['a fraction', z.int(), 1.5, 'field wrong_type: must be a whole number'],
  ['an object in place of a list', z.array(z.string()), {}, 'field wrong_type: must be an array'],
  ['a list in place of a map', z.record(z.string(), z.string()), [], 'field wrong_type: must be a JSON object'],
  ['a wrong choice', z.enum(['a', 'b']), 'c', 'field not_a_choice: must be one of a, b'],
  ['a wrong literal', z.literal(true), false, 'field not_a_choice: must be one of true'],
  ['a number below its bound', z.number().min(0), -1, 'field too_small: must be at least 0'],
  ['a long text', z.string().max(2), 'abc', 'field too_big: must be at most 2 characters'],
  ['a short list', z.array(z.string()).min(2), ['a'], 'field too_small: must have at least 2 entries'],
  ['a number beyond a bound with a format', z.number().max(5, { error: 'small' }), 6, 'field too_big: must be small'],
  [
    'a text in a wrong format',
    z.string().regex(/^a/, { error: 'a text that begins with a' }),
    'b',
    'field bad_format: must be a text that begins with a',
  ],
  [
    'a text that a rule in code refuses',
    z.string().refine(() => false, { error: 'so' }),
    'b',
    'field bad_format: must be so',
  ],
  [
    'a value of a type that a union does not have',
    z.union([z.string(), z.array(z.string())]),
    5,
    'field wrong_type: must be a string or an array',
  ],
  [
    'a value that fits neither a list of choices nor a type',
    z.union([z.enum(['a']), z.number()]),
    true,
    'field not_a_choice: must be one of a, or a number',
  ],
  [
    'a value of the type of one option that this option refuses',
    z.union([z.enum(['a']), z.number().max(5)]),
    6,
    'field too_big: must be at most 5',
  ],
  [
    'a text in a wrong format of a schema without `error`',
    z.email(),
    'b',
    'field bad_format: must be a value in the expected format',
  ],
  [
    'a wrong value of a union with a format',
    z.union([z.string(), z.number()], { error: 'a key' }),
    true,
    'field bad_format: must be a key',
  ],
])('%s has the expected fault', (_, schema, value, fault) => expect(faultsOf(schema, value)).toEqual([fault]));

test.each([
  ['of a list', z.union([z.string(), z.array(z.string())]), ['a', 5], 'field.1 wrong_type: must be a string'],
  [
    'of a map',
    z.union([z.array(z.string()), z.record(z.string(), z.array(z.string()))]),
    { a: 'x' },
    'field.a wrong_type: must be an array',
  ],
  [
    'of a nested list',
    z.union([z.number(), z.array(z.array(z.number()))]),
    [[1], [2, 'x']],
    'field.1.1 wrong_type: must be a number',
  ],
])('the fault of a union names only the wrong entry %s, and not the whole value', (_, schema, value, fault) => {
  expect(faultsOf(schema, value)).toEqual([fault]);
});

test('the fault of an unknown kind in a discriminated union lists the known kinds', () => {
  const shape = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a') }),
    z.strictObject({ kind: z.literal('b') }),
  ]);
  expect(faultsOf(shape, { kind: 'c' })).toEqual(['field.kind not_a_choice: must be one of a, b']);
});

test('no fault contains a message of the schema library', () => {
  const schema = z.strictObject({ a: z.string(), b: z.int().min(1), c: z.enum(['x']), d: z.array(z.string()).max(1) });
  for (const value of [null, 5, 'x', [], {}, { a: 1, b: 0, c: 'y', d: ['', ''] }, { a: '', b: 1.5, c: 1, d: [1] }])
    for (const fault of faultsOf(schema, value))
      expect(fault).not.toMatch(/Invalid|expected|received|Too (?:small|big)/);
});
