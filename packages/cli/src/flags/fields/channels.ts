// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const channelFlags: readonly FieldFlag[] = [
  {
    field: 'type',
    flag: '--type <type>',
    kind: 'choice',
    about: 'Type of channel.',
    choices: [
      'email',
      'slack',
      'discord',
      'teams',
      'pagerduty',
      'opsgenie',
      'webhook',
      'telegram',
      'sms',
      'phone',
      'pushover',
      'ntfy',
      'googlechat',
      'matrix',
    ],
  },
  {
    field: 'key',
    flag: '--key <text>',
    kind: 'text',
    about: 'A stable name that you choose, unique for its kind in the project. With it, a rename keeps the history.',
  },
  {
    field: 'managedBy',
    flag: '--managed-by <text>',
    kind: 'text',
    about:
      'Name of the manifest that manages it; null for none. `apply --prune` deletes only what its own manifest manages.',
  },
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'Display name, 1 to 200 characters. (required)' },
  { field: 'config.address', flag: '--address <text>', kind: 'text', about: 'Where to send. (email only; required)' },
  {
    field: 'config.webhookUrl',
    flag: '--webhook-url <text>',
    kind: 'text',
    about:
      'Address that the provider gave you. Masked when read. (slack, discord, teams, googlechat only; required) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.integrationKey',
    flag: '--integration-key <text>',
    kind: 'text',
    about:
      'Events API v2 integration key. Masked when read. (pagerduty only; required) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.apiKey',
    flag: '--opsgenie-api-key <text>',
    kind: 'text',
    about:
      'API key of the integration. Masked when read. (opsgenie only; required) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.region',
    flag: '--region <choice>',
    kind: 'choice',
    about: 'Where the account is hosted. (opsgenie only; default: "us")',
    choices: ['us', 'eu'],
  },
  {
    field: 'config.url',
    flag: '--url <text>',
    kind: 'text',
    about: 'Address to call. Masked when read. (webhook only; required) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.method',
    flag: '--method <choice>',
    kind: 'choice',
    about: 'HTTP method. (webhook only; default: "POST")',
    choices: ['POST', 'PUT', 'PATCH', 'GET'],
  },
  {
    field: 'config.headers',
    flag: '--header <name=value>',
    kind: 'map',
    about: 'Request headers; values are masked when read. (webhook only)',
  },
  {
    field: 'config.secret',
    flag: '--secret <text>',
    kind: 'text',
    about:
      'Signs each delivery (Standard Webhooks). Masked when read. (webhook only) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.botToken',
    flag: '--bot-token <text>',
    kind: 'text',
    about: 'Token of the bot. Masked when read. (telegram only; required) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.chatId',
    flag: '--chat-id <text>',
    kind: 'text',
    about: 'Chat to write to. (telegram only; required)',
  },
  {
    field: 'config.phoneNumber',
    flag: '--phone-number <text>',
    kind: 'text',
    about: 'Number in E.164 form: a plus sign and up to 15 digits, such as +15550100. (sms, phone only; required)',
  },
  {
    field: 'config.userKey',
    flag: '--user-key <text>',
    kind: 'text',
    about: 'User or group key. Masked when read. (pushover only; required) Give - to read it from standard input.',
    secret: true,
  },
  {
    field: 'config.appToken',
    flag: '--app-token <text>',
    kind: 'text',
    about:
      'Token of the application. Masked when read. (pushover only; required) Give - to read it from standard input.',
    secret: true,
  },
  { field: 'config.topic', flag: '--topic <text>', kind: 'text', about: 'Topic to publish to. (ntfy only; required)' },
  {
    field: 'config.serverUrl',
    flag: '--server-url <text>',
    kind: 'text',
    about: 'Server that holds the topic; a password in it is masked when read. (ntfy only; default: "https://ntfy.sh")',
  },
  {
    field: 'config.homeserverUrl',
    flag: '--homeserver-url <text>',
    kind: 'text',
    about: 'Address of the homeserver; a password in it is masked when read. (matrix only; required)',
  },
  {
    field: 'config.roomId',
    flag: '--room-id <text>',
    kind: 'text',
    about: 'Room to write to. (matrix only; required)',
  },
  {
    field: 'config.accessToken',
    flag: '--access-token <text>',
    kind: 'text',
    about:
      'Access token of the account. Masked when read. (matrix only; required) Give - to read it from standard input.',
    secret: true,
  },
];
