import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { filters, id, key, knownOnly, line, name, paging, requestHeaders, timestamp, webAddress } from './fields.ts';

const address = (what: string) => webAddress.describe(what);
/** A key or token. It goes into headers and addresses unchanged. */
const token = (what: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,2000}$/, { error: 'must be 1 to 2000 visible ASCII characters without spaces' })
    .describe(`${what} Masked when read.`);
const webhookUrl = z
  .strictObject({ webhookUrl: address('Address that the provider gave you. Masked when read.') })
  .meta({ id: 'WebhookUrlConfig' });
const phoneNumber = z
  .strictObject({
    phoneNumber: z
      .string()
      .regex(/^\+[1-9][0-9]{1,14}$/, { error: 'must be a number in E.164 form, such as +15550100' })
      .describe('Number in E.164 form: a plus sign and up to 15 digits, such as +15550100.'),
  })
  .meta({ id: 'PhoneNumberConfig' });

/** The config of each of the fourteen channel types. */
export const channelConfigs = {
  email: z
    .strictObject({ address: z.email({ error: 'must be an e-mail address' }).max(254).describe('Where to send.') })
    .meta({ id: 'EmailConfig' }),
  slack: webhookUrl,
  discord: webhookUrl,
  teams: webhookUrl,
  pagerduty: z
    .strictObject({ integrationKey: token('Events API v2 integration key.') })
    .meta({ id: 'PagerdutyConfig' }),
  opsgenie: z
    .strictObject({
      apiKey: token('API key of the integration.'),
      region: z.enum(['us', 'eu']).default('us').describe('Where the account is hosted.'),
    })
    .meta({ id: 'OpsgenieConfig' }),
  webhook: z
    .strictObject({
      url: address('Address to call. Masked when read.'),
      method: z.enum(['POST', 'PUT', 'PATCH', 'GET']).default('POST').describe('HTTP method.'),
      headers: requestHeaders.default({}).describe('Request headers; values are masked when read.'),
      secret: token('Signs each delivery (Standard Webhooks).').nullable().default(null),
    })
    .meta({ id: 'WebhookConfig' }),
  telegram: z
    .strictObject({
      botToken: token('Token of the bot.'),
      chatId: line(200).describe('Chat to write to.'),
    })
    .meta({ id: 'TelegramConfig' }),
  sms: phoneNumber,
  phone: phoneNumber,
  pushover: z
    .strictObject({ userKey: token('User or group key.'), appToken: token('Token of the application.') })
    .meta({ id: 'PushoverConfig' }),
  ntfy: z
    .strictObject({
      topic: line(200).describe('Topic to publish to.'),
      serverUrl: address('Server that holds the topic; a password in it is masked when read.').default(
        'https://ntfy.sh',
      ),
    })
    .meta({ id: 'NtfyConfig' }),
  googlechat: webhookUrl,
  matrix: z
    .strictObject({
      homeserverUrl: address('Address of the homeserver; a password in it is masked when read.'),
      roomId: line(255).describe('Room to write to.'),
      accessToken: token('Access token of the account.'),
    })
    .meta({ id: 'MatrixConfig' }),
} as const;

export type ChannelType = keyof typeof channelConfigs;
export type ChannelConfig<T extends ChannelType> = z.output<(typeof channelConfigs)[T]>;

/** The secret config fields of each type; the API masks them. `headers.*` stands for every value in `headers`. */
export const channelSecrets = {
  email: [],
  slack: ['webhookUrl'],
  discord: ['webhookUrl'],
  teams: ['webhookUrl'],
  pagerduty: ['integrationKey'],
  opsgenie: ['apiKey'],
  webhook: ['url', 'headers.*', 'secret'],
  telegram: ['botToken'],
  sms: [],
  phone: [],
  pushover: ['userKey', 'appToken'],
  ntfy: [],
  googlechat: ['webhookUrl'],
  matrix: ['accessToken'],
} as const satisfies Record<ChannelType, readonly string[]>;

/**
 * The fields of each type that say where its secrets are sent. A change of one requires the secrets again, so that a
 * stored secret never goes to another place.
 */
export const channelDestinations = {
  email: [],
  slack: [],
  discord: [],
  teams: [],
  pagerduty: [],
  opsgenie: ['region'],
  webhook: ['url'],
  telegram: [],
  sms: [],
  phone: [],
  pushover: [],
  ntfy: ['serverUrl'],
  googlechat: [],
  matrix: ['homeserverUrl'],
} as const satisfies Record<ChannelType, readonly string[]>;

export const channelTypes = Object.keys(channelConfigs) as [ChannelType, ...ChannelType[]];

const config = z.record(z.string(), z.unknown()).describe('Its shape depends on the type.');

const inputOf = <T extends ChannelType>(type: T) =>
  z.strictObject({ key, name, type: z.literal(type), config: channelConfigs[type] });

/** The input that creates a channel. The type decides the shape of `config`. */
export const channelInput = z
  .discriminatedUnion('type', [
    inputOf('email').meta({ id: 'EmailChannelInput' }),
    inputOf('slack').meta({ id: 'SlackChannelInput' }),
    inputOf('discord').meta({ id: 'DiscordChannelInput' }),
    inputOf('teams').meta({ id: 'TeamsChannelInput' }),
    inputOf('pagerduty').meta({ id: 'PagerdutyChannelInput' }),
    inputOf('opsgenie').meta({ id: 'OpsgenieChannelInput' }),
    inputOf('webhook').meta({ id: 'WebhookChannelInput' }),
    inputOf('telegram').meta({ id: 'TelegramChannelInput' }),
    inputOf('sms').meta({ id: 'SmsChannelInput' }),
    inputOf('phone').meta({ id: 'PhoneChannelInput' }),
    inputOf('pushover').meta({ id: 'PushoverChannelInput' }),
    inputOf('ntfy').meta({ id: 'NtfyChannelInput' }),
    inputOf('googlechat').meta({ id: 'GooglechatChannelInput' }),
    inputOf('matrix').meta({ id: 'MatrixChannelInput' }),
  ])
  .meta({ id: 'ChannelInput', description: 'Input that creates a channel. The type decides the shape of `config`.' });

/** Validates an input whose type is missing or unknown. A config field counts as known if any type has it. */
export const untypedChannelInput = z.strictObject({
  type: z.enum(channelTypes),
  key,
  name,
  config: z.strictObject(knownOnly(...Object.values(channelConfigs).map(({ shape }) => shape))),
});

export type ChannelFields = z.output<typeof channelInput>;

export const channelPatch = z
  .strictObject({
    key: key.unwrap().optional(),
    name: name.optional(),
    type: z.enum(channelTypes).optional().describe('A new type requires a complete `config`.'),
    config: config
      .optional()
      .describe(
        'Merged into the stored config. Null restores a default; a masked value keeps the stored one. Changing the destination (`url`, `homeserverUrl`, `region`) requires the secrets again.',
      ),
  })
  .meta({ id: 'ChannelPatch', description: 'A JSON merge patch (RFC 7396): absent fields stay unchanged.' });
export const channel = z
  .object({
    id: id('chn', 'channel'),
    key: z.string().nullable(),
    name,
    type: z.enum(channelTypes),
    config: config.describe('Stored config with its secrets masked.'),
    configDigest: z
      .string()
      .describe('SHA-256 in hex of the id, a newline, and the plain config as JSON with sorted keys.'),
    lastSentAt: timestamp.nullable().describe('When a message was last delivered.'),
    lastError: z
      .string()
      .nullable()
      .describe('Why the latest message was not delivered. Null if it was, and after a change of the config.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Channel' });

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
    status: 201,
    creates: true,
    summary: 'Create a channel.',
    body: channelInput,
    response: channel,
    errors: ['conflict'],
  },
  updateChannel: {
    method: 'PATCH',
    path: '/notification-channels/:channelId',
    access: 'project',
    status: 200,
    summary: 'Change a channel.',
    body: channelPatch,
    response: channel,
    errors: ['conflict'],
  },
  deleteChannel: {
    method: 'DELETE',
    path: '/notification-channels/:channelId',
    access: 'project',
    status: 204,
    summary: 'Delete a channel.',
    response: null,
  },
  testChannel: {
    method: 'POST',
    path: '/notification-channels/:channelId/test',
    access: 'project',
    status: 200,
    summary: 'Send a test notification.',
    response: z.object({ ok: z.literal(true) }),
    errors: ['rate_limited', 'delivery_failed'],
  },
});
