import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields, withUnset } from '../../flags/field-flags.ts';
import { refuseNothing } from '../../flags/refuse-faults.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { channelFlags } from '../../nouns/flags/channels.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  channel: string;
  patch: Record<string, unknown>;
}

export const updateChannel = command<UpdateOptions>({
  path: 'channels update',
  summary: 'change fields of a channel; other fields stay unchanged',
  examples: ['channels update ops --name Operations', 'channels update ops --unset header.X-Team'],
  define: (command) => {
    command.argument('<channel>', 'its id, key or name');
    fieldFlags(command, channelFlags);
    command.option('--unset <field>', "restore a field's default; may be repeated", repeated);
    shownFlags(command);
  },
  parse: ([channel], flags) => {
    const patch = withUnset(readFields(flags, channelFlags), listFlag(flags, 'unset'), channelFlags);
    refuseNothing(patch, 'channels update', '--name Operations');
    return { settings: settingFlags(flags), ...readShown(flags), channel: channel ?? '', patch };
  },

  async run({ settings, channel: word, patch: typed, ...shown }, { io, signal, connect }) {
    const { readSecrets } = await import('./read-secrets.ts');
    const { asPatch } = await import('./validate-fields.ts');
    const { findChannel } = await import('./find.ts');
    const { showChannel } = await import('./show.ts');
    const patch = await readSecrets(typed, io);
    const client = await connect(settings);
    const { id, type } = await findChannel(client, word, signal);
    await showChannel(io, await client.channels.update(id, asPatch(patch, type), { signal }), shown);
    return 'ok';
  },
});
