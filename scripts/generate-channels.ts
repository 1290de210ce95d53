// Generates the docs of the channel types, and an example with all of them, from their definitions in the contract.
import { readFile } from 'node:fs/promises';
import { type ChannelTypeDefinition, channelTypeDefinitions } from '@uptime/sdk/contract';
import { Document, isScalar, type Pair, visit } from 'yaml';
import * as z from 'zod';

const definitions = Object.entries<ChannelTypeDefinition>(channelTypeDefinitions);

const begin = '<!-- Generated from packages/sdk/src/contract/channel-types by `npm run generate`. Do not edit. -->';
const end = '<!-- End of the generated part. -->';

/** Returns docs/channels.md: the introduction unchanged, then a table of the types and a section for each. */
export async function channelDocs(): Promise<string> {
  const page = await readFile(new URL('../docs/channels.md', import.meta.url), 'utf8');
  const [before, rest = ''] = page.split(begin);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error(`docs/channels.md must contain the lines ${begin} and ${end}.`);
  return [before, begin, '\n\n', table(), ...definitions.map(section), '\n', end, after].join('');
}

function table(): string {
  const rows = definitions.map(([type, { label, config, secrets, destinations, gateway }]) => {
    const fields = Object.entries(config.shape).map(([field, schema]) => {
      const optional = (schema as z.ZodType).safeParse(undefined).success ? ' (optional)' : '';
      return `\`${field}\`${optional}`;
    });
    const hidden = secrets.map((field) => `\`${field.replace(/\.\*$/, '')}\``);
    const to = secrets.length === 0 ? [] : destinations.map((field) => `\`${field}\``);
    const through = gateway ? { mail: 'mail server', phone: 'Twilio account' }[gateway.kind] : '';
    return `| \`${type}\` | ${label} | ${fields.join(', ')} | ${hidden.join(', ')} | ${to.join(', ')} | ${through} |`;
  });
  return `## Types

| type | service | config | secret | destination | through the operator's |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

const section = ([type, { label, docs, example, config }]: (typeof definitions)[number]): string =>
  [
    `\n## ${label}\n`,
    docs.setup.trim(),
    `\n\`\`\`yaml\n${yamlOf({ channels: [{ name: example.name, type, config: example.config }] }, config.shape)}\`\`\`\n`,
    docs.notes ? `${docs.notes.trim()}\n` : '',
  ].join('\n');

/** Returns a value as YAML. A config field with a default has a comment with this default. */
function yamlOf(value: unknown, shape: Record<string, unknown>): string {
  const document = new Document(value);
  visit(document, {
    Pair(_key, pair, path) {
      const parent = path.at(-2) as Pair | undefined;
      if (isScalar(parent?.key) && parent.key.value === 'config' && isScalar(pair.key) && isScalar(pair.value)) {
        const comment = commentOn(shape[String(pair.key.value)] as z.ZodType, pair.value.value);
        if (comment !== null) pair.value.comment = ` ${comment}`;
      }
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: true });
}

function commentOn(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success) return null;
  if (parsed.data === null) return 'optional';
  const choices = schema instanceof z.ZodDefault && schema.unwrap() instanceof z.ZodEnum ? optionsOf(schema) : [];
  const others = choices.filter((choice) => choice !== value && choice !== parsed.data).join(', ');
  const instead = others && `; or ${others}`;
  return value === parsed.data
    ? `the default${instead}`
    : `the default is ${JSON.stringify(parsed.data).replaceAll('"', '')}${instead}`;
}

const optionsOf = (schema: z.ZodDefault): string[] => (schema.unwrap() as z.ZodEnum).options.map(String);

/** Returns examples/all-channels/monitors.yaml: a channel of every type, and a rule that uses all of them. */
export function channelsExample(): string {
  const channels = definitions.map(([type, { example }]) => ({ key: type, ...example, type }));
  const manifest = {
    monitors: [{ key: 'shop', name: 'Shop', type: 'http', url: 'https://www.example.com/' }],
    channels: channels.map(({ key, name, type, config }) => ({ key, name, type, config })),
    alertRules: [
      { key: 'all', name: 'Shop, on every channel', monitors: ['shop'], channels: channels.map(({ key }) => key) },
    ],
  };
  return `# A channel of every type. Generated from packages/sdk/src/contract/channel-types by \`npm run generate\`. Do not edit.
#   uptime apply -f examples/all-channels/monitors.yaml
${new Document(manifest).toString({ lineWidth: 0, singleQuote: true })}`;
}
