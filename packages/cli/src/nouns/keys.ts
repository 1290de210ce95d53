import type { ProjectKey, Uptime } from '@uptime/sdk';
import { timeColumn } from '../list-table.ts';
import { output, pairs, plain } from '../output.ts';
import type { Calls, Noun } from './noun.ts';

/**
 * The noun for the keys with which machines access a project. `keys create` is defined in commands/keys/create.ts,
 * because that command also says what to do with the new key.
 */
export const keys = {
  word: 'keys',
  one: 'key',
  many: 'keys',
  argument: ['key', 'its id or name'],

  async find(word, { client, signal }): Promise<ProjectKey> {
    const { find } = await import('./find.ts');
    const all = client.projects.keys.list('current', {}, { signal });
    return find<ProjectKey>(word, keys, {
      by: 'id or name',
      prefix: 'key_',
      keyless: true,
      list: () => all,
    });
  },
  async show(key, { format, quiet }, { io }) {
    if (quiet) return io.print(key.id);
    const fields = Object.entries(key).map(([field, value]) => [field, String(value ?? 'none')] as const);
    await output(io, format, key, () => pairs(fields));
  },
  calls: ({ projects }: Uptime): Pick<Calls<ProjectKey>, 'delete'> => ({
    delete: (id, options) => projects.keys.delete('current', id, options),
  }),

  list: {
    summary: 'list the keys for machines, with scope, expiry and last use',
    examples: ['keys list', 'keys list -o json'],
    read: ({ client, signal }) => client.projects.keys.list('current', {}, { signal }),
    empty: "No keys yet besides the project's own. `uptime keys create --name ci --scope apply` creates one.",
    columns: ({ now }) => [
      { title: 'NAME', value: ({ name }) => name, cut: true },
      { title: 'SCOPE', value: ({ scope }) => scope },
      timeColumn('EXPIRES', { read: ({ expiresAt }) => expiresAt, now }),
      timeColumn('LAST USED', { read: ({ lastUsedAt }) => lastUsedAt, now }),
      timeColumn('CREATED', { read: ({ createdAt }) => createdAt, now }),
      { title: 'ID', value: ({ id }) => id },
    ],
  },
  delete: {
    summary: 'revoke a key; it stops working at once',
    examples: ['keys delete ci --yes', 'keys delete ci --yes -o json'],
    subject: ({ id, name, scope }) => `key ${JSON.stringify(plain(name))} (${id}) with the scope ${scope}`,
    printed: ({ id, name, scope }) => ({ id, name, scope }),
  },
} as const satisfies Omit<Noun<ProjectKey>, 'calls'> & { calls(client: Uptime): object };
