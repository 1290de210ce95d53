import { channelTypes, validateChannel } from '@uptime/sdk/contract';
import { describe, expect, test } from 'vitest';
import { createCollection } from './collection.ts';
import { envReference } from './env-reference.ts';
import { gatusChannel } from './gatus-channels.ts';
import { kumaChannel } from './kuma-channels.ts';

type Values = Record<string, unknown>;

/** Runs `add`. Returns the channel that it added, and its notes. */
function added(add: (into: ReturnType<typeof createCollection>) => string | null) {
  const into = createCollection();
  const key = add(into);
  const { type, config } = into.drafts[0]?.fields ?? {};
  return { key, type, config, notes: into.notes.map(({ level, text }) => `${level}: ${text}`) };
}
const hook = 'https://hooks.example.com/x';
const gateway = 'changed: the server sends mail through its own gateway, which its operator configures';
const body = 'changed: the body has the format that docs/channels.md describes';
const first = 'lost: all addresses except the first: a channel has only one';

describe('a notification of Uptime Kuma', () => {
  const read = (config: Values) => added((into) => kumaChannel('Ops', config, into));
  test.each<[string, Values, string, Values, string[]]>([
    [
      'slack',
      { slackwebhookURL: hook, slackchannel: '#ops', slackusername: '', slackchannelnotify: false },
      'slack',
      { webhookUrl: hook },
      ['lost: `slackchannel`: there is no such setting here'],
    ],
    ['discord', { discordWebhookUrl: hook }, 'discord', { webhookUrl: hook }, []],
    ['teams', { webhookUrl: hook }, 'teams', { webhookUrl: hook }, []],
    ['GoogleChat', { googleChatWebhookURL: hook }, 'googlechat', { webhookUrl: hook }, []],
    ['telegram', { telegramBotToken: '1:a', telegramChatID: -5 }, 'telegram', { botToken: '1:a', chatId: '-5' }, []],
    ['smtp', { smtpTo: 'a@example.com' }, 'email', { address: 'a@example.com' }, [gateway]],
    ['smtp', { smtpTo: 'a@example.com , b@example.com' }, 'email', { address: 'a@example.com' }, [gateway, first]],
    [
      'webhook',
      { webhookURL: hook, webhookContentType: 'json' },
      'webhook',
      { url: hook },
      [body, 'lost: `webhookContentType`: there is no such setting here'],
    ],
    ['pushover', { pushoveruserkey: 'u', pushoverapptoken: 'a' }, 'pushover', { userKey: 'u', appToken: 'a' }, []],
    [
      'ntfy',
      { ntfytopic: 't', ntfyserverurl: 'https://n.example.com' },
      'ntfy',
      { topic: 't', serverUrl: 'https://n.example.com' },
      [],
    ],
    ['PagerDuty', { pagerdutyIntegrationKey: 'k' }, 'pagerduty', { integrationKey: 'k' }, []],
    [
      'twilio',
      { twilioToNumber: '+491701234567' },
      'sms',
      { phoneNumber: '+491701234567' },
      ['changed: the server sends messages through its own gateway, which its operator configures'],
    ],
    ['Opsgenie', { opsgenieApiKey: 'k', opsgenieRegion: 'eu' }, 'opsgenie', { apiKey: 'k', region: 'eu' }, []],
    [
      'matrix',
      { homeserverUrl: 'https://m.example.com', internalRoomId: '!r', accessToken: 't' },
      'matrix',
      { homeserverUrl: 'https://m.example.com', roomId: '!r', accessToken: 't' },
      [],
    ],
  ])(
    'a notification of Uptime Kuma of the type %s with %j becomes a channel',
    (type, config, channel, expected, notes) => {
      expect(read({ type, ...config })).toEqual({ key: 'ops', type: channel, config: expected, notes });
      expect(channelTypes).toContain(channel);
    },
  );

  test.each<[unknown, string]>([
    ['signal', 'signal'],
    ['constructor', 'constructor'],
    [undefined, 'unknown'],
    [{}, 'unknown'],
  ])('a notification of Uptime Kuma of the type %j becomes no channel, and gets a note', (type, word) => {
    expect(read({ type })).toMatchObject({
      key: null,
      notes: [`lost: the channel: channels of the type ${word} are not imported`],
    });
  });

  test('a notification of Uptime Kuma with an empty value becomes a channel without that field, so that the contract reports the field as missing', () => {
    expect(read({ type: 'telegram', telegramBotToken: '' })).toMatchObject({ type: 'telegram', config: {} });
    expect(validateChannel({ name: 'Ops', type: 'telegram', config: {} })).toMatchObject({ ok: false });
  });
});

describe('a provider of Gatus', () => {
  const read = (type: string, settings: unknown) => added((into) => gatusChannel(type, settings, into));
  test.each<[string, Values, string, Values, string[]]>([
    ['slack', { 'webhook-url': hook }, 'slack', { webhookUrl: hook }, []],
    ['discord', { 'webhook-url': hook }, 'discord', { webhookUrl: hook }, []],
    ['teams', { 'webhook-url': hook }, 'teams', { webhookUrl: hook }, []],
    ['teams-workflows', { 'webhook-url': hook }, 'teams', { webhookUrl: hook }, []],
    ['googlechat', { 'webhook-url': '${HOOK}' }, 'googlechat', { webhookUrl: envReference('HOOK') }, []],
    ['telegram', { token: '1:a', id: 5 }, 'telegram', { botToken: '1:a', chatId: '5' }, []],
    ['pagerduty', { 'integration-key': 'k' }, 'pagerduty', { integrationKey: 'k' }, []],
    ['opsgenie', { 'api-key': 'k' }, 'opsgenie', { apiKey: 'k' }, []],
    [
      'ntfy',
      { topic: 't', url: 'https://n.example.com' },
      'ntfy',
      { topic: 't', serverUrl: 'https://n.example.com' },
      [],
    ],
    [
      'email',
      { to: 'a@example.com, b@example.com', from: 'c@example.com' },
      'email',
      { address: 'a@example.com' },
      [gateway, first, 'lost: `from`: there is no such setting here'],
    ],
    ['pushover', { 'user-key': 'u', 'application-token': 'a' }, 'pushover', { userKey: 'u', appToken: 'a' }, []],
    [
      'matrix',
      { 'server-url': 'https://m.example.com', 'internal-room-id': '!r', 'access-token': 't' },
      'matrix',
      { homeserverUrl: 'https://m.example.com', roomId: '!r', accessToken: 't' },
      [],
    ],
    [
      'custom',
      { url: hook, method: 'POST', body: 'x' },
      'webhook',
      { url: hook, method: 'POST' },
      [body, 'lost: `body`: there is no such setting here'],
    ],
    [
      'slack',
      { 'webhook-url': hook, overrides: [] },
      'slack',
      { webhookUrl: hook },
      ['lost: `overrides`: add a channel for each group'],
    ],
  ])('a provider of Gatus named %s with %j becomes a channel', (type, settings, channel, expected, notes) => {
    expect(read(type, settings)).toMatchObject({ type: channel, config: expected, notes });
    expect(channelTypes).toContain(channel);
  });

  test.each<[string, unknown, string]>([
    ['zulip', {}, 'lost: channels of this type are not imported'],
    ['toString', {}, 'lost: channels of this type are not imported'],
    ['slack', undefined, 'lost: alerts use it, but it is not configured'],
    ['slack', [], 'lost: alerts use it, but it is not configured'],
  ])('a provider of Gatus named %s with %j becomes no channel, and gets a note', (type, settings, note) => {
    expect(read(type, settings)).toMatchObject({ key: null, notes: [note] });
  });
});
