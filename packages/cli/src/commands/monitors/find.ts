import { type Monitor, NotFoundError, type Uptime } from '@uptime/sdk';
import { find } from '../../nouns/find.ts';

/** Finds a monitor by its id, key or name. Throws a CliError if none or several match. */
export const findMonitor = (client: Uptime, word: string, signal: AbortSignal): Promise<Monitor> =>
  find(word, {
    one: 'monitor',
    many: 'monitors',
    prefix: 'mon_',
    listing: 'monitors list',
    list: (query) => client.monitors.list(query, { signal }),
    async get(id) {
      try {
        return await client.monitors.get(id, { signal });
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
  });
