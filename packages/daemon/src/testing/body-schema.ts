import { allEndpoints, channelInput, type Endpoint, monitorInputs } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import * as z from 'zod';
import { anyText } from './any-text.ts';

/** The part of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
}

/** Converts a zod schema to JSON Schema without references. */
export const jsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(withoutIds(schema), { io: 'input' }) as JsonSchema;

/** Removes the registered ids of a schema. They would become references, but the generators need one whole schema. */
const withoutIds = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodObject ? bare(schema) : schema);

const bare = (schema: z.ZodObject) => z.strictObject(schema.shape);

/**
 * Returns the schemas of the body of an operation. If the body depends on a monitor or channel type, each type has a
 * schema.
 */
export function bodySchemas(operation: keyof typeof allEndpoints): JsonSchema[] {
  if (operation === 'createMonitor') return Object.values(monitorInputs).map(jsonSchema);
  if (operation === 'createChannel')
    return channelInput.options.map(({ shape }) =>
      jsonSchema(z.strictObject({ ...shape, config: bare(shape.config) })),
    );
  const { body } = allEndpoints[operation] as Endpoint;
  return body ? [jsonSchema(body)] : [];
}

const texts = [
  '',
  ' ',
  'x',
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(200),
  'a'.repeat(201),
  'x'.repeat(5000),

  'localhost',
  'example.com',
  '127.0.0.1',
  '::1',
  'example.com.',
  '.',
  'a..b',
  'http://localhost:1/',
  'https://[::1]/',

  'http://',
  'http://a:0/',
  'http://%00/',
  'ftp://a/',
  'http://a b/',
  '200',
  '2xx',
  '299-200',
  '200,3xx',
  '9.9.9.9:53',

  '\0',
  'a\0b',
  '\u2028',
  '\ud800',
  '\ufeff',
  'é'.repeat(100),
  '💥'.repeat(100),
  '__proto__',
  'constructor',
  'toString',

  "'; drop table monitor; --",
  '<script>',
  '${x}',
  'ada@example.com',
  '+15550100',
  'eu-west',
  '2026-02-30',
  '1e3',
  'null',
  'on',
];

const text = fc.oneof(fc.constantFrom(...texts), anyText(40));

/**
 * Generates values that mostly match a schema. Some values are at the limits of the schema or just beyond them, and
 * some do not match at all.
 */
export function arbitraryFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map(arbitraryFor));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(schema.items ? arbitraryFor(schema.items) : fc.jsonValue(), { maxLength: 4 });
    case 'object':
      return schema.properties ? object(schema) : fc.dictionary(text, values(schema), { maxKeys: 4 });
    case undefined:
    default:
      return text;
  }
}

const values = (schema: JsonSchema) =>
  typeof schema.additionalProperties === 'object' ? arbitraryFor(schema.additionalProperties) : fc.jsonValue();

function numbers({ minimum = -1e6, maximum = 1e6 }: JsonSchema): fc.Arbitrary<number> {
  const [low, high] = [Math.max(minimum, -1e6), Math.min(maximum, 1e7)];
  const odd = [minimum - 1, maximum + 1, 0, -0, 1.5, 1e308, 2 ** 31, 2 ** 53, -1];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: low, max: high }) },
    { weight: 2, arbitrary: fc.constantFrom(low, high) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

/** Generates objects with nearly all required fields, some optional fields, and sometimes an unknown field. */
function object(schema: JsonSchema): fc.Arbitrary<unknown> {
  const known = Object.entries(schema.properties ?? {}).map(([name, of]) => {
    const required = schema.required?.includes(name) ?? false;
    return sometimes(
      required ? 30 : 1,
      required ? 1 : 6,
      arbitraryFor(of).map((value): [string, unknown][] => [[name, value]]),
    );
  });
  const unknown = sometimes(
    1,
    20,
    fc.tuple(text, fc.jsonValue({ maxDepth: 2 })).map((pair): [string, unknown][] => [pair]),
  );
  return fc.tuple(...known, unknown).map((fields) => Object.fromEntries(fields.flat()));
}

/** Generates a list from `arbitrary` with the weight `present`, or an empty list with the weight `absent`. */
const sometimes = <T>(present: number, absent: number, arbitrary: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: present, arbitrary }, { weight: absent, arbitrary: fc.constant<T[]>([]) });
