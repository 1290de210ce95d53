import type { Collection } from './collection.ts';
import { textOf, type Values } from './parse-data.ts';

type Of = (field: string) => string | undefined;
type Config = Record<string, string | undefined>;

/** For each notification type of Uptime Kuma: the type of its channel, and a function that reads its config. */
const notifications: Record<string, (of: Of) => [type: string, config: Config]> = {
  slack: (of) => ['slack', { webhookUrl: of('slackwebhookURL') }],
  discord: (of) => ['discord', { webhookUrl: of('discordWebhookUrl') }],
  teams: (of) => ['teams', { webhookUrl: of('webhookUrl') }],
  GoogleChat: (of) => ['googlechat', { webhookUrl: of('googleChatWebhookURL') }],
  telegram: (of) => ['telegram', { botToken: of('telegramBotToken'), chatId: of('telegramChatID') }],
  smtp: (of) => ['email', { address: of('smtpTo')?.split(',')[0]?.trim() }],
  webhook: (of) => ['webhook', { url: of('webhookURL') }],
  pushover: (of) => ['pushover', { userKey: of('pushoveruserkey'), appToken: of('pushoverapptoken') }],
  ntfy: (of) => ['ntfy', { topic: of('ntfytopic'), serverUrl: of('ntfyserverurl') }],
  PagerDuty: (of) => ['pagerduty', { integrationKey: of('pagerdutyIntegrationKey') }],
  twilio: (of) => ['sms', { phoneNumber: of('twilioToNumber') }],
  Opsgenie: (of) => ['opsgenie', { apiKey: of('opsgenieApiKey'), region: of('opsgenieRegion') }],
  matrix: (of) => [
    'matrix',
    { homeserverUrl: of('homeserverUrl'), roomId: of('internalRoomId'), accessToken: of('accessToken') },
  ],
};

/**
 * Adds the channel for a notification, and returns the key of the channel. If no type of channel corresponds to the
 * notification, adds a note and returns null.
 */
export function kumaChannel(name: string, config: Values, into: Collection): string | null {
  const type = textOf(config['type']) ?? '';
  const notification = Object.hasOwn(notifications, type) ? notifications[type] : undefined;
  if (!notification) {
    into.note('lost', name, `the channel: channels of the type ${type || 'unknown'} are not imported`);
    return null;
  }
  const read = new Set(['name', 'type', 'isDefault', 'applyExisting', 'active', 'id', 'userId', 'user_id']);
  const [channel, given] = notification((field) => {
    read.add(field);
    return textOf(config[field]);
  });
  if (type === 'smtp')
    into.note('changed', name, 'the server sends mail through its own gateway, which its operator configures');
  if (type === 'smtp' && textOf(config['smtpTo'])?.includes(','))
    into.note('lost', name, 'all addresses except the first: a channel has only one');
  if (type === 'twilio')
    into.note('changed', name, 'the server sends messages through its own gateway, which its operator configures');
  if (type === 'webhook') into.note('changed', name, 'the body has the format that docs/channels.md describes');
  const set = Object.entries(config).filter(([, value]) => value !== '' && value !== null && value !== false);
  into.noteRest(Object.fromEntries(set), read, name);
  const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return into.add('channels', name, { name, type: channel, config: kept });
}
