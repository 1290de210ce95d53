import {
  channelConfigs,
  channelPatch,
  channelSecrets,
  type ChannelType,
  channelTypes,
  type Fault,
  faultAt,
  name as nameSchema,
  validate,
  validateChannel,
} from '@uptime/sdk/contract';
import type * as z from 'zod';
import type { Connection } from '../connection.ts';
import { flagFor } from '../flags/field-flags.ts';
import { channelFlags } from '../flags/fields/channels.ts';
import { askField } from '../prompts/ask-field.ts';
import type { FieldRules, Given } from './field-rules.ts';

/** The rules for the fields of a channel, and their flags. */
export const channelRules: FieldRules = {
  flags: channelFlags,
  typed: true,
  foreign(type) {
    const fields = Object.keys(channelConfigs[type as ChannelType]?.shape ?? {});
    const flags = fields.map((field) => flagFor(`config.${field}`, channelFlags)).join(', ');
    return `is not a field of type ${String(type)}, which has ${flags}`;
  },
  create: ({ fields }) => validateChannel({ config: {}, ...fields }),
  update(patch, type) {
    const checked = validate(channelPatch, patch);
    const { shape } = channelConfigs[(patch['type'] ?? type) as ChannelType];
    const faults = [...(checked.ok ? [] : checked.faults), ...configFaults(patch['config'] ?? {}, shape)];
    return faults.length > 0 ? { ok: false, faults } : { ok: true, value: patch };
  },
  ask,
};

type Shape = Record<string, z.ZodType>;

function configFaults(config: object, shape: Shape): Fault[] {
  return Object.entries(config).flatMap(([field, value]) => {
    const path = `config.${field}`;
    const schema = shape[field];
    if (!schema) return [faultAt(path, 'unknown_field', { meant: null })];
    return value === null || hasNull(value) ? [] : faultsAt(path, schema, value);
  });
}

/** Whether a map contains a null, which removes an entry. Only the server validates such a map. */
const hasNull = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).includes(null);

function faultsAt(path: string, schema: z.ZodType, value: unknown): Fault[] {
  const checked = validate(schema, value);
  if (checked.ok) return [];
  return checked.faults.map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join('.') }));
}

/** Asks for the type, the name and the required config of a channel. Returns them with the given fields. */
async function ask({ fields, members }: Given, connection: Connection): Promise<Given> {
  const type = channelTypes.find((known) => known === fields['type']) ?? (await askType(connection));
  const name = fields['name'] ?? (await askField('name', nameSchema, connection));
  const config: Record<string, unknown> = { ...(fields['config'] as object | undefined) };
  const shape: Shape = channelConfigs[type].shape;
  const secrets: readonly string[] = channelSecrets[type];
  for (const field of Object.keys(shape).filter((one) => !shape[one]!.safeParse(undefined).success)) {
    config[field] ??= await askField(field, shape[field]!, connection, { secret: secrets.includes(field) });
  }
  return { fields: { ...fields, type, name, config }, members };
}

async function askType({ io, signal }: Connection): Promise<ChannelType> {
  const { select } = await import('@inquirer/prompts');
  return select<ChannelType>(
    { message: 'Type of channel', choices: [...channelTypes] },
    { input: io.stdin, output: io.stderr, signal },
  );
}
