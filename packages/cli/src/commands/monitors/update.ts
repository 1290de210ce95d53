import { CliError } from '../../exit.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, listFlag, repeated, settingFlags } from '../command.ts';
import { fieldFlags, readFields } from './field-flags.ts';
import { readShown, type Shown, showMonitor, shownFlags } from './show.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  monitor: string;
  patch: Record<string, unknown>;
}

export const updateMonitor = command<UpdateOptions>({
  path: 'monitors update',
  summary: 'change fields of a monitor; what is not named stays as it is',
  examples: [
    'monitors update nightly-backup --grace-period 3600 --label team=ops',
    'monitors update nightly-backup --unset description --unset labels.team',
  ],
  define: (command) => {
    command.argument('<monitor>', 'its id, key or name');
    fieldFlags(command);
    command.option('--unset <field>', "bring a field's default back; may be repeated", repeated);
    shownFlags(command);
  },
  parse: ([monitor], flags) => {
    const patch = withUnset(readFields(flags), listFlag(flags, 'unset'));
    if (Object.keys(patch).length === 0) {
      throw new CliError('nothing to change: name at least one field, such as --interval 60', {
        exit: 'usage',
        next: '`uptime monitors update --help` lists the flags',
      });
    }
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

/** A merge patch in which null brings a default back, or takes an entry such as `labels.team` out. */
function withUnset(fields: Record<string, unknown>, unset: readonly string[]): Record<string, unknown> {
  const patch = { ...fields };
  for (const path of unset) {
    const [head = '', ...rest] = path.replace(/^--/, '').split('.');
    const field = head.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const name = field === 'header' || field === 'label' ? `${field}s` : field;
    const entry = rest.join('.');
    patch[name] = entry === '' ? null : { ...(patch[name] as object | undefined), [entry]: null };
  }
  return patch;
}
