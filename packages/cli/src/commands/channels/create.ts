import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { channelFlags } from '../../nouns/flags/channels.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  fields: Record<string, unknown>;
}

export const createChannel = command<CreateOptions>({
  path: 'channels create',
  summary: 'create a channel; on a terminal, asks for missing fields',
  examples: [
    'channels create --type email --name On-call --address on-call@example.com',
    'channels create --type slack --name Ops --webhook-url - < webhook-url.txt',
  ],
  define: (command) => {
    fieldFlags(command, channelFlags);
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    fields: readFields(flags, channelFlags),
  }),

  async run({ settings, fields: typed, ...shown }, context) {
    const { io, signal } = context;
    const { readSecrets } = await import('./read-secrets.ts');
    const { asInput } = await import('./validate-fields.ts');
    const { showChannel } = await import('./show.ts');
    const fields = { config: {}, ...(await readSecrets(typed, io)) };
    const input = asInput(
      io.interactive ? await (await import('./ask-channel.ts')).askChannel(fields, context) : fields,
    );
    const client = await context.connect(settings);
    await showChannel(io, await client.channels.create(input, { signal }), shown);
    return 'ok';
  },
});
