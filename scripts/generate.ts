// Writes the generated files: `npm run generate`. With --check it writes nothing, and fails if a file is out of date.
// Each output has a function that returns the text of the file.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as contract from '@uptime/sdk/contract';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { channelDocs, channelsExample } from './generate-channels.ts';
import { channelFlags, incidentFlags, manifestSchema, monitorFlags, pageFlags, ruleFlags } from './generate-cli.ts';
import { configurationDocs } from './generate-docs.ts';
import { storedErrorNumbers } from './generate-error-numbers.ts';
import { limitsDocs } from './generate-limits.ts';
import { monitorsExample } from './generate-monitors.ts';

const root = new URL('../', import.meta.url);
const banner = '// Generated from src/contract by `npm run generate`. Do not edit.\n\n';

type Io = 'input' | 'output';
type Json = { [key: string]: unknown };

interface Named {
  /** The name of the export in the contract. */
  export: string;
  id: string;
  io: Io;
  schema: z.ZodType;
}

/** Returns every schema of the contract that has an id, sorted by id. `io` is `input` for the schemas of requests. */
function namedSchemas(): Named[] {
  const schemas: Named[] = [];
  const add = (name: string, value: unknown) => {
    // The manifest is a file of the CLI. It is not part of any request or answer.
    if (!(value instanceof z.ZodType) || value === contract.manifest) return;
    const id = value.meta()?.id;
    if (id !== undefined && !schemas.some((known) => known.id === id)) {
      schemas.push({ export: name, id, io: /(?:Input|Patch|Config)$/.test(id) ? 'input' : 'output', schema: value });
    }
  };
  for (const [name, value] of Object.entries(contract)) add(name, value);
  for (const [type, schema] of Object.entries(contract.monitorInputs)) add(`monitorInputs.${type}`, schema);
  for (const [type, schema] of Object.entries(contract.monitorReads)) add(`monitorReads.${type}`, schema);
  for (const [type, schema] of Object.entries(contract.channelConfigs)) add(`channelConfigs.${type}`, schema);
  for (const [type, schema] of Object.entries(contract.channelInputs)) add(`channelInputs.${type}`, schema);
  return schemas.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Generates the interfaces of the SDK: zod → JSON Schema → TypeScript. */
async function sdkTypes(): Promise<string> {
  const definitions: Json = {};
  for (const { schema, io, id } of namedSchemas()) {
    const { $defs } = z.toJSONSchema(schema, { io }) as { $defs: Json };
    definitions[id] = forTypes($defs[id]);
  }
  const properties = Object.fromEntries(Object.keys(definitions).map((id) => [id, { $ref: `#/definitions/${id}` }]));
  const everything = { title: 'Everything', type: 'object', additionalProperties: false, properties, definitions };
  const source = await compile(everything as never, 'Everything', {
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unknownAny: true,
  });
  const interfaces = source
    .replace(/export interface Everything \{[\s\S]*?\n\}\n/, '')
    .replaceAll(/ \*\n \* This interface was referenced by [\s\S]*?(?= \*\/)/g, '')
    .replaceAll(/\/\*\*\n \* This interface was referenced by [\s\S]*?\*\/\n/g, '')
    .replaceAll(/\/\*\*\n\s*\* ([^\n]*)\n\s*\*\//g, '/** $1 */');
  return `${banner}${interfaces}\n${queryTypes()}`;
}

/** Rewrites a JSON schema so that its interface reads well, with defaults and limits in comments. */
function forTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forTypes);
  if (typeof node !== 'object' || node === null) return node;
  const schema: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') schema[key] = String(value).replace('#/$defs/', '#/definitions/');
    else if (key === 'properties') {
      schema[key] = Object.fromEntries(
        Object.entries(value as Json).map(([name, type]) => [name, field(type as Json)]),
      );
    } else if (!omitted.includes(key)) schema[key] = forTypes(value);
  }
  for (const key of ['anyOf', 'oneOf']) {
    if (Array.isArray(schema[key])) schema[key] = flattened(schema[key], key);
  }
  return schema;
}

/** Properties of a JSON schema that a TypeScript type cannot express, or that its comment already contains. */
const omitted = ['propertyNames', 'default', 'pattern', 'format', 'maxItems', 'minItems', 'maxLength', 'minLength'];

/** Returns the options of a union. Replaces nested unions by their options, and drops descriptions and duplicates. */
function flattened(options: Json[], key: string): Json[] {
  const bare = options.flatMap((option) => (option[key] as Json[] | undefined) ?? [option]);
  const written = bare.map((option) => JSON.stringify({ ...option, description: undefined }));
  return [...new Set(written)].map((text) => JSON.parse(text) as Json);
}

/** Returns the schema of a field with the limits and the default of the field in its description. */
function field(type: Json): unknown {
  const inner = (type['anyOf'] as Json[] | undefined)?.[0];
  const about = [type['description'] ?? inner?.['description']];
  const { minimum, maximum } = type['minimum'] === undefined && inner ? inner : type;
  if (typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) {
    const range = `${minimum} to ${maximum}`;
    if (!String(about[0]).includes(range)) about.push(`${range}.`);
  }
  if ('default' in type) about.push(`Default: \`${JSON.stringify(type['default'])}\`.`);
  const description = about.filter(Boolean).join(' ');
  return { ...(forTypes(type) as Json), ...(description && { description }) };
}

/** The shapes of queries, each under the name of its interface. */
const queryShapes = {
  PageQuery: {
    of: contract.allEndpoints.listProjects,
    about: 'One page of a list. Without `limit`, the whole list is returned.',
  },
  ListQuery: {
    of: contract.allEndpoints.listMonitors,
    about: 'One page of a list, or the objects with a key or name.',
  },
  DeliveryQuery: {
    of: contract.allEndpoints.listDeliveries,
    about: 'Filters for the list of deliveries, and one page of it.',
  },
  RangeQuery: {
    of: contract.allEndpoints.getDailyUptime,
    about: 'A range of UTC days. Each call has its own default.',
  },
  ResponseTimesQuery: {
    of: contract.allEndpoints.getResponseTimes,
    about: 'A range of UTC days, and the region of the checks.',
  },
};

/** Generates the types of query parameters for callers of the SDK. A page size is a number, all others are strings. */
function queryTypes(): string {
  return Object.entries(queryShapes)
    .map(([name, { of, about }]) => {
      const fields = Object.entries<z.ZodType>(of.query.shape).map(([field, type]) => {
        const written = String(type.description).replace(/ Default: \d+ days ending at `to`\./, '');
        return `/** ${written} */\n${field}?: ${field === 'limit' ? 'number' : 'string'};`;
      });
      return `/** ${about} */\nexport interface ${name} {\n${fields.join('\n')}\n}\n`;
    })
    .join('\n');
}

/** Generates a file that compiles only while each interface accepts the same values as its schema. */
function sdkTypesProof(): string {
  const lines = namedSchemas().map(
    ({ export: name, id, io }) => `Expect<Same<types.${id}, z.${io}<typeof contract.${name}>>>,`,
  );
  return `${banner}import type * as z from 'zod';
import type * as contract from './contract/index.ts';
import type * as types from './types.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'the schema accepts more') : 'the interface accepts more';
type Expect<T extends true> = T;

/** Each line names an interface. If a line does not compile, its interface differs from the schema. */
export type Proof = [
${lines.join('\n')}
];
`;
}

/** Generates a file that compiles only while every `@example` in one folder of the SDK compiles. */
async function sdkExamplesProof(folder: '.' | 'resources'): Promise<string> {
  const source = new URL(`packages/sdk/src/${folder}/`, root);
  const files = (await readdir(source)).filter((file) => /^(?!types)[^.]+\.ts$/.test(file));
  const examples: string[] = [];
  for (const file of files.toSorted()) {
    const comments = (await readFile(new URL(file, source), 'utf8')).matchAll(/\/\*\*([\s\S]*?)\*\//g);
    const asyncExamples = [...comments].flatMap(([, comment]) => {
      const example = comment?.split('@example\n')[1]?.replaceAll(/^\s*\* ?/gm, '');
      return example ? [`async () => {${example.replaceAll(/^import .*$/gm, '')}},`] : [];
    });
    if (asyncExamples.length > 0) examples.push(`// ${file}`, ...asyncExamples);
  }
  return `${banner}${exampleImports[folder]}
declare const uptime: Uptime;
declare const cookie: string;
declare const process: { env: Record<string, string> };

export const examples = [
${examples.join('\n')}
];
`;
}

const exampleImports = {
  '.': `import { path } from './path.ts';
import { ApiError, Uptime, UptimeError, type UptimeOptions } from './index.ts';
import { createFakeServer } from './testing.ts';
`,
  resources: `import { Uptime } from '../index.ts';
`,
};

const outputs: Record<string, () => string | Promise<string>> = {
  'packages/sdk/src/types.ts': sdkTypes,
  'packages/sdk/src/types.proof.ts': sdkTypesProof,
  'packages/sdk/src/examples.proof.ts': () => sdkExamplesProof('.'),
  'packages/sdk/src/resources/examples.proof.ts': () => sdkExamplesProof('resources'),
  'packages/cli/src/flags/fields/monitors.ts': monitorFlags,
  'packages/cli/src/flags/fields/channels.ts': channelFlags,
  'packages/cli/src/flags/fields/rules.ts': ruleFlags,
  'packages/cli/src/flags/fields/incidents.ts': incidentFlags,
  'packages/cli/src/flags/fields/pages.ts': pageFlags,
  'packages/cli/schema/monitors.schema.json': manifestSchema,
  // This entry imports the commands with their generated flags, so it must come after the entries that write the flags.
  'packages/cli/man/uptime.1': async () => (await import('./generate-man.ts')).manPage(),
  'docs/cli.md': async () => (await import('./generate-cli-docs.ts')).cliDocs(),
  'docs/channels.md': channelDocs,
  'examples/all-channels/monitors.yaml': channelsExample,
  'docs/configuration.md': configurationDocs,
  'docs/limits.md': limitsDocs,
  'examples/all-types/monitors.yaml': monitorsExample,
  'packages/daemon/src/store/stored-error-numbers.json': storedErrorNumbers,
};

const check = process.argv.includes('--check');
for (const [path, make] of Object.entries(outputs)) {
  const file = new URL(path, root);
  const content = await make();
  const style = await resolveConfig(file);
  // Prettier does not know the format of man pages.
  const text = path.endsWith('.1') ? content : await format(content, { ...style, filepath: path });
  if (!check) {
    await writeFile(file, text);
    console.log(`wrote ${path}`);
  } else if (text !== (await readFile(file, 'utf8'))) {
    console.log(`${path} is out of date: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  }
}
