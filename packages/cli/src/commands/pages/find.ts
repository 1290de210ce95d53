import type { StatusPage, Uptime } from '@uptime/sdk';
import { find } from '../../nouns/find.ts';

/** Finds a status page by its id, key, slug or name. Throws a CliError if none or several match. */
export const findPage = (client: Uptime, word: string, signal: AbortSignal): Promise<StatusPage> =>
  find(word, {
    one: 'status page',
    many: 'status pages',
    by: 'id, key, slug or name',
    alias: ({ slug }) => slug,
    prefix: 'pag_',
    listing: 'pages list',
    list: (query) => client.statusPages.list(query, { signal }),
  });
