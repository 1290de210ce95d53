import type { Channel } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { isSecretOfChannel } from '../../kinds/channel.ts';
import { isMasked, mask, withoutPassword } from '../../secrets.ts';
import { showResource } from '../../nouns/show-resource.ts';
import { type Shown } from '../../flags/output-flags.ts';

/** Prints a channel with all its fields, or only its id. */
export const showChannel = (io: Io, channel: Channel, shown: Shown): Promise<void> =>
  showResource(io, withoutSecrets(channel), shown);

/** Masks the secrets in a channel's config, in case the server did not. */
export function withoutSecrets(channel: Channel): Channel {
  const fit = (value: unknown, path: string): unknown => {
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fit(inner, `${path}.${name}`)]));
    }
    if (typeof value !== 'string' || isMasked(value)) return value;
    return isSecretOfChannel(path, { ...channel }) ? mask : withoutPassword(value);
  };
  return { ...channel, config: fit(channel.config, 'config') as Channel['config'] };
}
