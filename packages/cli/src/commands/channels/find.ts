import type { Channel, Uptime } from '@uptime/sdk';
import { find } from '../../nouns/find.ts';

/** Finds a channel by its id, key or name. Throws a CliError if none or several match. */
export const findChannel = (client: Uptime, word: string, signal: AbortSignal): Promise<Channel> =>
  find(word, {
    one: 'channel',
    many: 'channels',
    prefix: 'chn_',
    listing: 'channels list',
    list: (query) => client.channels.list(query, { signal }),
  });
