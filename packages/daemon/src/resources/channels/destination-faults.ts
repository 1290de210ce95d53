import {
  channelDestinations,
  channelSecrets,
  type ChannelType,
  type Fault,
  faultAt,
  secretMask,
} from '@uptime/sdk/contract';
import { isObject } from '../merge-patch.ts';

type Config = Record<string, unknown>;

/**
 * Returns the faults of a patch that changes where a channel sends to, but keeps stored secrets. Such a patch is
 * refused, because the caller may not know the secrets, and could get them sent to an address of their choice. `sent`
 * is the config as the caller sent it, including masks.
 */
export function destinationFaults(
  type: ChannelType,
  { stored, config, sent }: { stored: Config; config: Config; sent: unknown },
): Fault[] {
  const moved = channelDestinations[type].filter((field) => config[field] !== stored[field]);
  if (moved.length === 0) return [];
  const kept = keptSecrets(type, config, isObject(sent) ? sent : {}).filter(
    (name) => !moved.some((one) => one === name),
  );
  if (kept.length === 0) return [];
  return moved.map((field) => faultAt(`config.${field}`, 'secrets_required', { secrets: kept }));
}

/** Returns the fields whose secrets the caller did not send in plain text, so that the stored secrets would stay. */
function keptSecrets(type: ChannelType, config: Config, sent: Config): string[] {
  return channelSecrets[type].flatMap((secret) => {
    const field = secret.replace(/\.\*$/, '');
    const value = config[field];
    if (!isObject(value)) return typeof value === 'string' && !isPlain(sent[field]) ? [field] : [];
    const given = isObject(sent[field]) ? sent[field] : {};
    return Object.keys(value)
      .filter((name) => !isPlain(Object.hasOwn(given, name) ? given[name] : undefined))
      .map((name) => `${field}.${name}`);
  });
}

const isPlain = (value: unknown): boolean => typeof value === 'string' && !value.includes(secretMask);
