import type { StatusPage, Uptime } from '@uptime/sdk';
import { find } from '../find.ts';

/** The status page that goes by an id, a key, a slug or a name. Throws a CliError when none or several do. */
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
