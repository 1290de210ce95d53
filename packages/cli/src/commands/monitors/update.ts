import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { listFlag, repeated, settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields, withUnset } from '../../flags/field-flags.ts';
import { refuseNothing } from '../../flags/refuse-faults.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { monitorFlags } from '../../nouns/flags/monitors.ts';
import { showMonitor } from './show.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  monitor: string;
  patch: Record<string, unknown>;
}

export const updateMonitor = command<UpdateOptions>({
  path: 'monitors update',
  summary: 'change fields of a monitor; other fields stay unchanged',
  examples: [
    'monitors update nightly-backup --grace-period 3600 --label team=ops',
    'monitors update nightly-backup --unset description --unset labels.team',
  ],
  define: (command) => {
    command.argument('<monitor>', 'its id, key or name');
    fieldFlags(command, monitorFlags);
    command.option('--unset <field>', "restore a field's default; may be repeated", repeated);
    shownFlags(command);
  },
  parse: ([monitor], flags) => {
    const patch = withUnset(readFields(flags, monitorFlags), listFlag(flags, 'unset'), monitorFlags);
    refuseNothing(patch, 'monitors update', '--interval 60');
    return { settings: settingFlags(flags), ...readShown(flags), monitor: monitor ?? '', patch };
  },

  async run({ settings, monitor: word, patch, ...shown }, context) {
    const { signal } = context;
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { asPatch } = await import('./validate-fields.ts');
    const { id, type } = await findMonitor(client, word, signal);
    const monitor = await client.monitors.update(id, asPatch(patch, type), { signal });
    await showMonitor(context.io, monitor, shown);
    return 'ok';
  },
});
