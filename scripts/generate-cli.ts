// Generates parts of the CLI from the contract: the flags of fields, and the manifest's JSON Schema.
import * as contract from '@uptime/sdk/contract';
import * as z from 'zod';
import { version } from '../packages/cli/src/version.ts';

type Json = { [key: string]: unknown };

/** The types of one kind of resource, such as monitors. Each has the schema of its fields. */
type Types = readonly (readonly [type: string, schema: z.ZodObject])[];

interface Flags {
  types: Types;
  /** The path before the names of the fields, such as `config.`. */
  within?: string;
  /** The fields whose whole value is secret. */
  secrets?: readonly string[];
}

/** Generates a flag for each field of a monitor. The CLI reads this list, so it starts without loading zod. */
export function monitorFlags(): string {
  const types = Object.entries(contract.monitorInputs) as unknown as Types;
  const secrets = Object.values(contract.monitorSecrets).flatMap((parts) =>
    Object.keys(parts).filter((field) => parts[field] === 'whole'),
  );
  const flags = flagsOf({ types, secrets });
  const file = flagsFile('monitorFlags', [typeFlag('Type of check.', contract.monitorTypes), ...flags]);
  const passive = JSON.stringify(contract.passiveMonitorTypes);
  return `${file}\n/** The types of monitors that wait for pings. */\nexport const passiveTypes = ${passive} as const;\n`;
}

/** Generates a flag for each field of a channel, and of its config. */
export function channelFlags(): string {
  const secrets = Object.values(contract.channelSecrets).flat();
  const types = Object.entries(contract.channelConfigs) as unknown as Types;
  return flagsFile('channelFlags', [
    typeFlag('Type of channel.', contract.channelTypes),
    ...flagsOf({
      types: [['', z.strictObject({ key: contract.key, managedBy: contract.managedBy, name: contract.name })]],
    }),
    ...flagsOf({ types, within: 'config.', secrets }),
  ]);
}

/** Generates a flag for each field of an alert rule, except its monitors and channels, which are given by name. */
export function ruleFlags(): string {
  const schema = contract.alertRuleInput.omit({ monitorIds: true, channelIds: true });
  return flagsFile('ruleFlags', flagsOf({ types: [['', schema]] }));
}

/** Generates the flags of an incident, except the flag for its monitors. Maintenance commands have their own flags. */
export function incidentFlags(): string {
  const schema = contract.incidentInput.pick({ title: true, status: true, message: true });
  return flagsFile('incidentFlags', flagsOf({ types: [['', schema]] }));
}

/** Generates a flag for each field of a status page, except its monitors, which are given by name. */
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

/** Returns one flag for each field that at least one of the types has. */
function flagsOf({ types, within = '', secrets = [] }: Flags): Json[] {
  const fields = [...new Set(types.flatMap(([, { shape }]) => Object.keys(shape)))].filter((name) => name !== 'type');
  return fields.map((field) => {
    const flag = { ...flagOf(field, types), field: `${within}${field}` };
    return secrets.includes(field)
      ? { ...flag, about: `${String(flag.about)} Give - to read it from standard input.`, secret: true }
      : flag;
  });
}

function flagOf(field: string, all: Types) {
  const types = all.filter(([, { shape }]) => field in shape);
  const input = types[0]![1].shape[field] as z.ZodType;
  const unit = contract.fieldFacts.get(input)?.unit;
  const schema = z.toJSONSchema(input, { io: 'input' }) as Json;
  const first = schema['type'] === undefined && !schema['enum'] ? ((schema['anyOf'] as Json[])[0] ?? {}) : schema;
  const kind = kindOf(field, schema, first);
  const about = schema['description'] ?? first['description'];
  const only = types.length < all.length ? `${types.map(([type]) => type).join(', ')} only` : '';
  const whenNew = factsOfNew(field, types);
  // The name may belong to a flag that every command takes, such as --api-key. Then the field's flag gets a prefix.
  const word = globalFlags.includes(kebab(field)) ? `${types[0]![0]}-${kebab(field)}` : kebab(field);
  return {
    field,
    flag: `--${kind === 'map' ? word.replace(/s$/, '') : word}${placeholder[kind] ?? ''}`,
    kind,
    about,
    ...(only && { only }),
    ...(whenNew && { whenNew }),
    ...(unit && { unit }),
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
  mixed: ' <list>',
};

function kindOf(field: string, schema: Json, first: Json): string {
  const accepted = ((schema['anyOf'] ?? []) as Json[]).map(({ type }) => type);
  if (accepted.includes('integer') && accepted.includes('string')) return 'mixed';
  if (first['enum']) return 'choice';
  const kinds = { integer: 'number', boolean: 'boolean', object: 'map', array: 'list', string: 'text' };
  const kind = kinds[String(first['type'] ?? schema['type']) as keyof typeof kinds];
  if (!kind) throw new Error(`No kind of flag fits the field ${field}: add one to kindOf.`);
  return kind;
}

/** Returns a text that says whether a new resource needs a field, and which default the field has in each type. */
function factsOfNew(field: string, types: Types): string {
  const defaults = Map.groupBy(types, ([, { shape }]) => {
    const parsed = (shape[field] as z.ZodType).safeParse(undefined);
    return parsed.success ? JSON.stringify(parsed.data ?? null) : 'required';
  });
  const groups = [...defaults].toSorted(([, a], [, b]) => b.length - a.length);
  const firstDefault = groups.findIndex(([value]) => value !== 'required');
  return groups
    .map(([value, has], i) => {
      const isRest = i === 0 && (value !== 'required' || groups.length === 1);
      const where = isRest ? '' : ` for ${has.map(([type]) => type).join(', ')}`;
      if (value === 'required') return `required${where}`;
      return ['null', '{}', '[]', '""'].includes(value)
        ? ''
        : `${i === firstDefault ? 'default: ' : ''}${value}${where}`;
    })
    .filter(Boolean)
    .join('; ');
}

const kebab = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Generates the manifest's JSON Schema, for editors. */
export function manifestSchema(): string {
  const schema = z.toJSONSchema(contract.manifest, { io: 'input' }) as Json;
  const { $schema, $ref: _, ...rest } = withVariables(withDefaults(withItemFields(schema))) as Json;
  const $id = `urn:uptime:manifest:${version}`;
  return JSON.stringify({ $schema, $id, ...rest }, null, 2);
}

const isItem = (id: string) =>
  /^(?:\w*(?:Monitor|Channel)Input|Manifest(?:AlertRule|StatusPage|Maintenance))$/.test(id);

const keyword = (word: string, schema: Json): Json => ({ [word]: schema });

/** Adds a second schema of each item, without required fields, for manifests with `defaults`. */
function withDefaults(schema: Json): Json {
  const $defs = schema['$defs'] as Record<string, Json>;
  const partial = (id: string) => isItem(id) || id === 'Manifest';
  const loosen = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(loosen);
    if (typeof node !== 'object' || node === null) return node;
    const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
      const [, id = ''] = /^#\/\$defs\/(.*)$/.exec(String(value)) ?? [];
      if (key === '$ref') return [key, partial(id) ? `${value}WithDefaults` : value];
      // An item without a type is valid for several types, so `oneOf` would refuse it.
      return [key === 'oneOf' ? 'anyOf' : key, loosen(value)];
    });
    return Object.fromEntries(entries);
  };
  const loose = Object.entries($defs)
    .filter(([id]) => partial(id))
    .map(([id, one]) => {
      const { required: _, ...rest } = loosen(one) as Json;
      return [`${id}WithDefaults`, rest];
    });
  return {
    ...schema,
    if: { required: ['defaults'] },
    ...keyword('then', { $ref: '#/$defs/ManifestWithDefaults' }),
    else: { $ref: '#/$defs/Manifest' },
    $defs: { ...$defs, ...(Object.fromEntries(loose) as Json) },
  };
}

/** Adds `manifestItemFields` to the schema of each item. These fields exist only in manifests. */
function withItemFields(schema: Json): Json {
  const { properties: added } = z.toJSONSchema(z.object(contract.manifestItemFields).partial(), { io: 'input' }) as {
    properties: Json;
  };
  const $defs = Object.entries(schema['$defs'] as Record<string, Json>).map(([id, one]) => [
    id,
    isItem(id) && one['properties'] ? withFields(one, added) : one,
  ]);
  return { ...schema, $defs: Object.fromEntries($defs) };
}

/**
 * Adds fields to the schema of an item. Only items with `monitors` get `monitorsWith`. If `monitors` was required, the
 * schema then requires one of these two fields.
 */
function withFields(item: Json, { monitorsWith, ...added }: Json): Json {
  // `managedBy` is left out, because it is at the top of a manifest and applies to every item.
  const { managedBy: _, ...properties } = item['properties'] as Json;
  if (!('monitors' in properties)) return { ...item, properties: { ...properties, ...added } };
  const required = (item['required'] as string[]).filter((field) => field !== 'monitors');
  const needs = (item['required'] as string[]).includes('monitors')
    ? { anyOf: [{ required: ['monitors'] }, { required: ['monitorsWith'] }] }
    : {};
  return { ...item, required, ...needs, properties: { ...properties, monitorsWith, ...added } };
}

/** An environment variable may stand for any value, so the schema accepts a variable in place of each value. */
const variable = { type: 'string', pattern: '\\$\\{[^}]+\\}', description: 'An environment variable.' };

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
