import {
  channelConfigs,
  channelMaps,
  channelSecrets,
  type ChannelType,
  type Fault,
  faultAt,
  maskTail,
  replaceAddressSecrets,
  replaceLogin,
  secretMask,
} from '@uptime/sdk/contract';
import { isObject } from '../merge-patch.ts';

type Config = Record<string, unknown>;

/** Returns a channel's config as the API shows it: of each secret, only the last four characters are visible. */
export function maskConfig(type: ChannelType, config: Config): Config {
  const secrets: readonly string[] = channelSecrets[type];
  const mask = (field: string, value: unknown): unknown => {
    if (secrets.includes(`${field}.*`) && isObject(value)) return mapValues(value, (_, one) => maskSecret(String(one)));
    if (typeof value !== 'string') return value;
    return secrets.includes(field) ? maskSecret(value) : maskAddress(value);
  };
  return mapValues(config, mask);
}

/** Returns the config that a caller sent, with the stored value in place of each mask. */
export function unmaskConfig(type: ChannelType, sent: Config, stored: Config): Config {
  const shown = maskConfig(type, stored);
  return mapValues(sent, (field, value) => {
    const [before, mask] = [stored[field], shown[field]];
    if (isObject(value) && isObject(before) && isObject(mask)) {
      const known = new Map(Object.keys(before).map((name) => [name.toLowerCase(), name]));
      return mapValues(value, (name, one) => {
        const same = known.get(name.toLowerCase());
        return same !== undefined && one === mask[same] ? before[same] : one;
      });
    }
    return typeof value === 'string' && value === mask ? before : value;
  });
}

/**
 * Returns a fault for each mask that `unmaskConfig` could not replace. Without these faults, the mask itself would be
 * stored as the value. The function searches the fields of the type, or of all types if the type is unknown. The
 * validation refuses other fields as unknown.
 */
export function maskFaults(type: unknown, config: Config): Fault[] {
  const types = Object.entries(channelConfigs);
  const own = types.filter(([known]) => known === type);
  const names = new Set((own.length > 0 ? own : types).flatMap(([, { shape }]) => Object.keys(shape)));
  const fields = Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name)));
  const entries = channelMaps.flatMap((name) =>
    isObject(fields[name]) ? masksIn(`config.${name}`, fields[name]) : [],
  );
  return [...masksIn('config', fields), ...entries];
}

const masksIn = (path: string, of: Config): Fault[] =>
  Object.entries(of)
    .filter(([, value]) => typeof value === 'string' && value.includes(secretMask))
    .map(([name]) => faultAt(`${path}.${name}`, 'masked'));

function maskSecret(secret: string): string {
  const url = webUrl(secret);
  return url
    ? `${url.protocol}//${url.host}/${maskTail(secret.slice(secret.indexOf('://') + 3).replace(/^[^/?#]*\/?/, ''))}`
    : maskTail(secret);
}

/** Masks the user name, the password and the tokens of an address. Use it if the address is not secret as a whole. */
const maskAddress = (text: string): string =>
  replaceAddressSecrets(webUrl(text) ? replaceLogin(text, `${secretMask}@`) : text, () => secretMask);

function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

const mapValues = (of: Config, map: (name: string, value: unknown) => unknown): Config =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(name, value)]));
