import type { Collection } from './collection.ts';
import { readReferences } from './env-reference.ts';
import { isMap, textOf, type Values } from './parse-data.ts';

type Config = Record<string, string | undefined>;

const webhook =
  (type: string) =>
  (of: Of): [string, Config] => [type, { webhookUrl: of('webhook-url') }];
type Of = (field: string) => string | undefined;

/** For each alerting provider of Gatus: the type of its channel, and a function that reads its config. */
const providers: Record<string, (of: Of) => [type: string, config: Config]> = {
  slack: webhook('slack'),
  discord: webhook('discord'),
  teams: webhook('teams'),
  'teams-workflows': webhook('teams'),
  googlechat: webhook('googlechat'),
  telegram: (of) => ['telegram', { botToken: of('token'), chatId: of('id') }],
  pagerduty: (of) => ['pagerduty', { integrationKey: of('integration-key') }],
  opsgenie: (of) => ['opsgenie', { apiKey: of('api-key') }],
  ntfy: (of) => ['ntfy', { topic: of('topic'), serverUrl: of('url') }],
  email: (of) => ['email', { address: of('to')?.split(',')[0]?.trim() }],
  pushover: (of) => ['pushover', { userKey: of('user-key'), appToken: of('application-token') }],
  matrix: (of) => [
    'matrix',
    { homeserverUrl: of('server-url'), roomId: of('internal-room-id'), accessToken: of('access-token') },
  ],
  custom: (of) => ['webhook', { url: of('url'), method: of('method') }],
};

/**
 * Adds the channel for an alerting provider, and returns the key of the channel. If no type of channel corresponds to
 * the provider, or if the provider is not configured, adds a note and returns null.
 */
export function gatusChannel(type: string, given: unknown, into: Collection): string | null {
  const provider = Object.hasOwn(providers, type) ? providers[type] : undefined;
  const about = `alerting.${type}`;
  if (!provider || !isMap(given)) {
    into.note(
      'lost',
      about,
      provider ? 'alerts use it, but it is not configured' : 'channels of this type are not imported',
    );
    return null;
  }
  const settings: Values = given;
  const read = new Set(['overrides', 'default-alert']);
  const [channel, config] = provider((field) => {
    read.add(field);
    const text = textOf(settings[field]);
    return text === undefined ? undefined : readReferences(text);
  });
  if (type === 'email') {
    into.note('changed', about, 'the server sends mail through its own gateway, which its operator configures');
    if (String(settings['to']).includes(','))
      into.note('lost', about, 'all addresses except the first: a channel has only one');
  }
  if (type === 'custom') into.note('changed', about, 'the body has the format that docs/channels.md describes');
  if (settings['overrides'] !== undefined) into.note('lost', about, '`overrides`: add a channel for each group');
  into.noteRest(settings, read, about);
  const kept = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  return into.add('channels', about, { name: `${type} (from Gatus)`, type: channel, config: kept });
}
