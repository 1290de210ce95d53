import type { Channel, Uptime } from '@uptime/sdk';
import { find } from '../find.ts';

/** The channel that goes by an id, a key or a name. Throws a CliError when none or several do. */
export const findChannel = (client: Uptime, word: string, signal: AbortSignal): Promise<Channel> =>
  find(word, {
    one: 'channel',
    many: 'channels',
    prefix: 'chn_',
    listing: 'channels list',
    list: (query) => client.channels.list(query, { signal }),
  });
