// What the CLI ships that is made from the contract: the flags of the fields of what it makes, and the manifest's JSON Schema.
import * as contract from '@uptime/sdk/contract';
import { z } from 'zod';
import { version } from '../packages/cli/src/version.ts';

type Json = { [key: string]: unknown };

/** The types of a kind of resource, each with the schema of its fields. */
type Types = readonly (readonly [type: string, schema: z.ZodObject])[];

interface Flags {
  types: Types;
  /** What the fields are fields of, as a path: `config.`. */
  within?: string;
  secrets?: readonly string[];
}

/** Every field of a monitor as a flag: a literal, so that the command line is there without loading zod. */
export function monitorFlags(): string {
  const types = Object.entries(contract.monitorInputs) as unknown as Types;
  const flags = flagsOf({ types });
  return flagsFile('monitorFlags', [typeFlag('What is watched, and how.', contract.monitorTypes), ...flags]);
}

/** The same of a channel: each field of its config is a flag of its own. */
export function channelFlags(): string {
  const { key, name } = contract.channelInput.options[0].shape;
  const secrets = Object.values(contract.channelSecrets).flat();
  const types = Object.entries(contract.channelConfigs) as unknown as Types;
  return flagsFile('channelFlags', [
    typeFlag('Where messages go.', contract.channelTypes),
    ...flagsOf({ types: [['', z.strictObject({ key, name })]] }),
    ...flagsOf({ types, within: 'config.', secrets }),
  ]);
}

/** The same of an alert rule, but for its monitors and channels, which go by name. */
export function ruleFlags(): string {
  const schema = contract.alertRuleInput.omit({ monitorIds: true, channelIds: true });
  return flagsFile('ruleFlags', flagsOf({ types: [['', schema]] }));
}

/** The same of an incident, without its schedule, which the commands for maintenance read in other ways. */
export function incidentFlags(): string {
  const schema = contract.incidentInput.pick({ title: true, status: true, message: true });
  return flagsFile('incidentFlags', flagsOf({ types: [['', schema]] }));
}

/** The same of a status page, but for its monitors, which go by name. */
export function pageFlags(): string {
  return flagsFile('pageFlags', flagsOf({ types: [['', contract.statusPageInput.omit({ monitorIds: true })]] }));
}

const typeFlag = (about: string, choices: readonly string[]): Json => ({
  field: 'type',
  flag: '--type <type>',
  kind: 'choice',
  about,
  choices,
});

const flagsFile = (name: string, flags: readonly Json[]): string =>
  `// Generated from the contract by \`npm run generate\`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const ${name}: readonly FieldFlag[] = ${JSON.stringify(flags)};
`;

/** A flag for each field that any of the types has. */
function flagsOf({ types, within = '', secrets = [] }: Flags): Json[] {
  const fields = [...new Set(types.flatMap(([, { shape }]) => Object.keys(shape)))].filter((name) => name !== 'type');
  return fields.map((field) => {
    const flag = { ...flagOf(field, types), field: `${within}${field}` };
    return secrets.includes(field)
      ? { ...flag, about: `${flag.about} - reads it from standard input.`, secret: true }
      : flag;
  });
}

function flagOf(field: string, all: Types) {
  const types = all.filter(([, { shape }]) => field in shape);
  const schema = z.toJSONSchema(types[0]![1].shape[field] as z.ZodType, { io: 'input' }) as Json;
  const first = schema['type'] === undefined && !schema['enum'] ? ((schema['anyOf'] as Json[])[0] ?? {}) : schema;
  const kind = kindOf(field, schema, first);
  const about = [schema['description'] ?? first['description'], facts(field, types, all.length)]
    .filter(Boolean)
    .join(' ');
  // A flag of every command goes before.
  const word = globalFlags.includes(kebab(field)) ? `${types[0]![0]}-${kebab(field)}` : kebab(field);
  return {
    field,
    flag: `--${kind === 'map' ? word.replace(/s$/, '') : word}${placeholder[kind] ?? ''}`,
    kind,
    about,
    ...(kind === 'choice' && { choices: first['enum'] }),
  };
}

const globalFlags = ['profile', 'site-url', 'api-key', 'verbose'];

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
function facts(field: string, types: Types, all: number): string {
  const of = types.length === all ? '' : `${types.map(([type]) => type).join(', ')} only`;
  const defaults = Map.groupBy(types, ([, { shape }]) => {
    const parsed = (shape[field] as z.ZodType).safeParse(undefined);
    return parsed.success ? JSON.stringify(parsed.data ?? null) : 'required';
  });
  const told = [...defaults]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([value, has], i) => {
      const where = i === 0 ? '' : ` for ${has.map(([type]) => type).join(', ')}`;
      if (value === 'required') return `required${where}`;
      return ['null', '{}', '[]', '""'].includes(value) ? '' : `${i === 0 ? 'default: ' : ''}${value}${where}`;
    })
    .filter(Boolean);
  const said = [of, told.join('; ')].filter(Boolean).join('; ');
  return said && `(${said})`;
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
