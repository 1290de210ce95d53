// What the CLI ships that is made from the contract: the flags of a monitor's fields, and the manifest's JSON Schema.
import * as contract from '@uptime/sdk/contract';
import { z } from 'zod';
import { version } from '../packages/cli/src/version.ts';

type Json = { [key: string]: unknown };

const inputs = Object.entries(contract.monitorInputs) as [string, z.ZodObject][];

/** Every field of a monitor as a flag: a literal, so that the command line is there without loading zod. */
export function monitorFlags(): string {
  const fields = [...new Set(inputs.flatMap(([, { shape }]) => Object.keys(shape)))].filter((name) => name !== 'type');
  const type = { field: 'type', flag: '--type <type>', kind: 'choice', about: 'What is watched, and how.' };
  const flags = [{ ...type, choices: contract.monitorTypes }, ...fields.map(flagOf)];
  return `// Generated from the contract by \`npm run generate\`. Do not edit.

/** A monitor's field as a flag. */
export interface MonitorFlag {
  /** Its name in the interface. */
  field: string;
  flag: string;
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'map' | 'list' | 'status';
  about: string;
  choices?: readonly string[];
}

export const monitorFlags: readonly MonitorFlag[] = ${JSON.stringify(flags)};
`;
}

function flagOf(field: string): Json {
  const types = inputs.filter(([, { shape }]) => field in shape);
  const schema = z.toJSONSchema(types[0]![1].shape[field] as z.ZodType, { io: 'input' }) as Json;
  const first = schema['type'] === undefined && !schema['enum'] ? ((schema['anyOf'] as Json[])[0] ?? {}) : schema;
  const kind = kindOf(field, schema, first);
  const about = [schema['description'] ?? first['description'], facts(field, types)].filter(Boolean).join(' ');
  return {
    field,
    flag: `--${kind === 'map' ? kebab(field).replace(/s$/, '') : kebab(field)}${placeholder[kind] ?? ''}`,
    kind,
    about,
    ...(kind === 'choice' && { choices: first['enum'] }),
  };
}

const placeholder: Record<string, string> = {
  text: ' <text>',
  number: ' <n>',
  boolean: ' [boolean]',
  choice: ' <choice>',
  map: ' <name=value>',
  list: ' <list>',
  status: ' <list>',
};

function kindOf(field: string, schema: Json, first: Json): string {
  if (field === 'expectedStatus') return 'status';
  if (first['enum']) return 'choice';
  const kinds = { integer: 'number', boolean: 'boolean', object: 'map', array: 'list', string: 'text' };
  const kind = kinds[String(first['type'] ?? schema['type']) as keyof typeof kinds];
  if (!kind) throw new Error(`The field ${field} is of a kind that no flag has.`);
  return kind;
}

/** Which types have the field, and its default in each. */
function facts(field: string, types: typeof inputs): string {
  const of = types.length === inputs.length ? '' : `${types.map(([type]) => type).join(', ')} only`;
  const defaults = Map.groupBy(types, ([, { shape }]) => {
    const parsed = (shape[field] as z.ZodType).safeParse(undefined);
    return parsed.success ? JSON.stringify(parsed.data) : 'required';
  });
  const told = [...defaults]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([value, has], i) => {
      const where = i === 0 ? '' : ` for ${has.map(([type]) => type).join(', ')}`;
      if (value === 'required') return `required${where}`;
      return ['null', '{}', '[]'].includes(value) ? '' : `${i === 0 ? 'default: ' : ''}${value}${where}`;
    })
    .filter(Boolean);
  const all = [of, told.join('; ')].filter(Boolean).join('; ');
  return all && `(${all})`;
}

const kebab = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The manifest's JSON Schema, for editors. */
export function manifestSchema(): string {
  const schema = z.toJSONSchema(contract.manifest, { io: 'input' }) as Json;
  const { $schema, ...rest } = withVariables(schema) as Json;
  const $id = `https://unpkg.com/@uptime/cli@${version}/schema/monitors.schema.json`;
  return JSON.stringify({ $schema, $id, ...rest }, null, 2);
}

/** A variable may stand for any value, so that an editor must not call it wrong. */
const variable = { type: 'string', pattern: '\\$\\{[^}]+\\}', description: 'A variable of the environment.' };

function withVariables(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withVariables);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withVariables(value)]));
  const strict =
    ['integer', 'number', 'boolean'].includes(String(schema['type'])) || schema['enum'] || schema['pattern'];
  if (!strict || typeof schema['type'] !== 'string') return schema;
  const { description, default: fallback, ...bare } = schema;
  return {
    anyOf: [bare, variable],
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
}
