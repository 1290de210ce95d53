import type { Channel } from '@uptime/sdk';
import {
  channelConfigs,
  channelSecrets,
  type ChannelType,
  channelTypes,
  isMasked,
  secretMask,
  validateChannel,
} from '@uptime/sdk/contract';
import { withoutAddressSecrets } from '../secrets.ts';
import { besidesDefaults } from './besides-defaults.ts';
import { compareConfig, hasDigest } from './channel-config.ts';
import { isMap } from './compare.ts';
import { collectionOf, fieldsOf, type Fields, type Kind } from './kind.ts';

export const channel: Kind = {
  name: 'channel',
  list: 'channels',
  one: 'channel',
  many: 'channels',
  collection: ({ channels }) => collectionOf(channels),
  knowsType: (remote) => typeOf(remote) !== undefined,
  validate: validateChannel,
  references: {},
  compare: { config: compareConfig },
  isSecret: isSecretOfChannel,
  write(remote) {
    const { key, name } = remote;
    const config = fieldsOf(remote)['config'] as Fields;
    const type = typeOf(remote);
    const written = type ? besidesDefaults(channelConfigs[type].shape, config) : config;
    return { ...(key != null && { key }), name, type: remote.type, config: written };
  },
  cannotCompare: (remotes) =>
    remotes.every(hasDigest)
      ? null
      : 'this server does not show whether the secrets of channels have changed, so only visible secrets are compared',
};

/**
 * Whether the value at a path of a channel is secret. If the type is unknown, the whole config is treated as secret.
 */
export function isSecretOfChannel(path: string, item: Fields): boolean {
  if (path === 'config') return !isMap(item['config']);
  if (!path.startsWith('config.')) return false;
  const type = typeOf(item);
  if (!type) return true;
  const field = path.slice('config.'.length);
  const [head = ''] = field.split('.');
  const secrets: readonly string[] = channelSecrets[type];
  return !(head in channelConfigs[type].shape) || secrets.some((secret) => covers(secret, field));
}

/** Masks the secrets in the config of a channel, because an older server may not mask them. */
export function withoutSecrets(channel: Channel): Channel {
  const fit = (value: unknown, path: string): unknown => {
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fit(inner, `${path}.${name}`)]));
    }
    if (typeof value !== 'string' || isMasked(value)) return value;
    return isSecretOfChannel(path, { ...channel }) ? secretMask : withoutAddressSecrets(value);
  };
  return { ...channel, config: fit(channel.config, 'config') as Channel['config'] };
}

const covers = (secret: string, field: string): boolean =>
  secret.endsWith('.*') ? `${field}.`.startsWith(secret.slice(0, -1)) : field === secret;

const typeOf = (given: unknown): ChannelType | undefined =>
  channelTypes.find((known) => isMap(given) && given['type'] === known);
