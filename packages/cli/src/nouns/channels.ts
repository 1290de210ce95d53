import type { Channel } from '@uptime/sdk';
import { fieldFlags } from '../flags/field-flags.ts';
import { timeColumn } from '../list-table.ts';
import { channelFlags } from '../flags/fields/channels.ts';
import type { Noun } from './noun.ts';
import { showResource } from './show-resource.ts';
import { plain } from '../output.ts';

/** Loads the function that masks the secrets in the config of a channel. An older server may not have masked them. */
const masking = async () => (await import('../kinds/channel.ts')).withoutSecrets;

export const channels = {
  word: 'channels',
  one: 'channel',
  many: 'channels',
  argument: ['channel', 'its id, key or name'],

  async find(word, { client, signal }): Promise<Channel> {
    const { find } = await import('./find.ts');
    return find<Channel>(word, channels, {
      prefix: 'chn_',
      list: (query) => client.channels.list(query, { signal }),
    });
  },
  show: async (channel, shown, { io }) => showResource(io, (await masking())(channel), shown),
  calls: ({ channels }) => channels,
  fields: {
    flags: channelFlags,
    declare: (command, isNew) => fieldFlags(command, channelFlags, isNew),
    rules: async () => (await import('../kinds/channel-rules.ts')).channelRules,
  },

  list: {
    summary: 'list the channels of the project, and whether their messages arrive',
    examples: ['channels list', 'channels list -o json'],
    read: ({ client, signal }) => client.channels.list({}, { signal }),
    empty: 'No channels yet. `uptime channels create` creates one.',
    columns: ({ now }) => [
      { title: 'NAME', value: ({ name }) => name, cut: true },
      { title: 'TYPE', value: ({ type }) => type },
      timeColumn('LAST SENT', { read: ({ lastSentAt }) => lastSentAt, none: 'never', now }),
      { title: 'LAST ERROR', value: ({ lastError }) => lastError ?? '-', cut: true },
      { title: 'ID', value: ({ id }) => id, wide: true },
    ],
    data: masking,
  },
  get: {
    summary: 'show one channel; its secrets are masked',
    examples: ['channels get ops', 'channels get ops -o yaml'],
  },
  create: {
    summary: 'create a channel; on a terminal, asks for missing fields',
    examples: [
      'channels create --type email --name On-call --address on-call@example.com',
      'channels create --type slack --name Ops --webhook-url - < webhook-url.txt',
    ],
  },
  update: {
    summary: 'change fields of a channel; other fields stay unchanged',
    examples: ['channels update ops --name Operations', 'channels update ops --unset header.X-Team'],
    such: '--name Operations',
  },
  delete: {
    summary: 'delete a channel, and remove it from rules',
    examples: ['channels delete ops --yes', 'channels delete ops --yes --quiet'],
    subject: ({ id, name, type }) => `${type} channel ${JSON.stringify(plain(name))} (${id})`,
    printed: ({ id, name, type }) => ({ id, name, type }),
  },
} as const satisfies Noun<Channel>;
