import * as z from 'zod';
import type { ChannelTypeDefinition } from './channel-types/define-channel-type.ts';
import { channelTypeDefinitions, type ChannelType } from './channel-types/index.ts';
import { endpoints } from './endpoint.ts';
import { filters, id, key, knownOnly, managedBy, name, paging, timestamp } from './fields.ts';

type Definitions = typeof channelTypeDefinitions;

/** Returns one property of every definition, by channel type. */
const each = <P extends keyof ChannelTypeDefinition>(property: P) =>
  Object.fromEntries(
    Object.entries(channelTypeDefinitions).map(([type, definition]) => [type, definition[property]]),
  ) as {
    [T in ChannelType]: Definitions[T][P];
  };

export const channelTypes = Object.keys(channelTypeDefinitions) as [ChannelType, ...ChannelType[]];

/** The config schema of each type. */
export const channelConfigs = each('config');
/** The secret config fields of each type; see {@link ChannelTypeDefinition}. */
export const channelSecrets: Record<ChannelType, readonly string[]> = each('secrets');
/** The fields of each type that say where its secrets are sent; see {@link ChannelTypeDefinition}. */
export const channelDestinations: Record<ChannelType, readonly string[]> = each('destinations');

/** The config fields that hold a map, such as `headers`. A field with one of these names is a map in every type. */
export const channelMaps: readonly string[] = [
  ...new Set(
    Object.values<z.ZodObject>(channelConfigs).flatMap(({ shape }) =>
      Object.keys(shape).filter((field) => isMap(shape[field] as z.ZodType)),
    ),
  ),
];

function isMap(schema: z.ZodType): boolean {
  return schema instanceof z.ZodDefault ? isMap(schema.unwrap() as z.ZodType) : schema instanceof z.ZodRecord;
}

export type ChannelConfig<T extends ChannelType> = z.output<Definitions[T]['config']>;

const config = z.record(z.string(), z.unknown()).describe('Its shape depends on the type.');

const inputOf = <T extends ChannelType>(type: T) =>
  z
    .strictObject({ key, managedBy, name, type: z.literal(type), config: channelConfigs[type] })
    .meta({ id: `${type.charAt(0).toUpperCase()}${type.slice(1)}ChannelInput` });

/** For each type, the input that creates a channel of this type. */
export const channelInputs = Object.fromEntries(channelTypes.map((type) => [type, inputOf(type)])) as {
  [T in ChannelType]: ReturnType<typeof inputOf<T>>;
};

type AnyInput = (typeof channelInputs)[ChannelType];

/** The input that creates a channel. The type decides the shape of `config`. */
export const channelInput = z
  .discriminatedUnion('type', Object.values(channelInputs) as [AnyInput, ...AnyInput[]])
  .meta({ id: 'ChannelInput', description: 'Input that creates a channel. The type decides the shape of `config`.' });

/** The schema of an input whose type is missing or unknown. It knows every config field that any type has. */
export const untypedChannelInput = z.strictObject({
  type: z.enum(channelTypes),
  key,
  managedBy,
  name,
  config: z.strictObject(knownOnly(...Object.values(channelConfigs).map(({ shape }) => shape))),
});

export type ChannelFields = z.output<typeof channelInput>;

const ofAll = Object.entries<ChannelTypeDefinition>(channelTypeDefinitions);
const destinations = ofAll
  .filter(([, { secrets }]) => secrets.length > 0)
  .flatMap(([, one]) => one.destinations.map((field) => `\`${field}\``));
const confirmed = ofAll.filter(([, { gateway }]) => gateway !== null).map(([type]) => type);

export const channelPatch = z
  .strictObject({
    key: key.unwrap().optional(),
    managedBy: managedBy.unwrap().optional(),
    name: name.optional(),
    type: z.enum(channelTypes).optional().describe('A new type requires a complete `config`.'),
    config: config
      .optional()
      .describe(
        `Merged into the stored config. Null restores a default; a masked value keeps the stored value. Changing the destination (${destinations.join(', ')}) requires the secrets again.`,
      ),
  })
  .meta({ id: 'ChannelPatch', description: 'A JSON merge patch (RFC 7396): absent fields stay unchanged.' });

export const channel = z
  .object({
    id: id('chn', 'channel'),
    key: z.string().nullable(),
    managedBy: z.string().nullable(),
    name,
    type: z.enum(channelTypes),
    config: config.describe('Stored config with its secrets masked.'),
    configDigest: z
      .string()
      .describe('SHA-256 in hex of the id, a newline, and the plain config as JSON with sorted keys.'),
    confirmedAt: timestamp
      .nullable()
      .optional()
      .describe(
        `When the address was confirmed by a code; null until then. Present only where the server asks for a code: channels of type ${confirmed.join(', ')} in UPTIME_MODE=public.`,
      ),
    lastSentAt: timestamp.nullable().describe('When a message was last delivered.'),
    lastError: z
      .string()
      .nullable()
      .describe(
        'Why the latest message was not delivered. Null if it was delivered, and after a change of the config.',
      ),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Channel' });

export const channelConfirmation = z
  .strictObject({
    code: z
      .string()
      .regex(/^[0-9]{6}$/, { error: 'the six digits that were sent' })
      .optional()
      .describe('The six digits that were sent to the address. Without them, a new code is sent.'),
  })
  .meta({ id: 'ChannelConfirmationInput' });

export const channelEndpoints = endpoints({
  listChannels: {
    method: 'GET',
    path: '/notification-channels',
    access: 'project',
    status: 200,
    summary: 'List channels.',
    query: z.strictObject({ ...paging, ...filters }),
    response: z.array(channel),
  },
  createChannel: {
    method: 'POST',
    path: '/notification-channels',
    access: 'project',
    scope: 'apply',
    status: 201,
    creates: true,
    summary: 'Create a channel.',
    body: channelInput,
    response: channel,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  updateChannel: {
    method: 'PATCH',
    path: '/notification-channels/:channelId',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Change a channel.',
    body: channelPatch,
    response: channel,
    errors: ['conflict', 'plan_limit_exceeded'],
  },
  deleteChannel: {
    method: 'DELETE',
    path: '/notification-channels/:channelId',
    access: 'project',
    scope: 'apply',
    status: 204,
    summary: 'Delete a channel.',
    response: null,
  },
  testChannel: {
    method: 'POST',
    path: '/notification-channels/:channelId/test',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary: 'Send a test notification.',
    response: z.object({ ok: z.literal(true) }),
    errors: ['conflict', 'rate_limited', 'delivery_failed'],
  },
  confirmChannel: {
    method: 'POST',
    path: '/notification-channels/:channelId/confirm',
    access: 'project',
    scope: 'apply',
    status: 200,
    summary:
      'Confirm the address of a channel by the code that was sent there. Without a code, the server sends a new code.',
    body: channelConfirmation,
    response: channel,
    errors: ['conflict', 'rate_limited', 'delivery_failed'],
  },
});
