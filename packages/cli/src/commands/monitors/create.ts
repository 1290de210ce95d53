import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { monitorFlags } from '../../nouns/flags/monitors.ts';
import { showMonitor } from './show.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  fields: Record<string, unknown>;
}

export const createMonitor = command<CreateOptions>({
  path: 'monitors create',
  summary: 'create a monitor; it is checked within two seconds',
  examples: [
    'monitors create --name Shop --type http --url https://shop.example.com --interval 60',
    'monitors create --name backup --type heartbeat --interval 86400 --label team=ops --quiet',
  ],
  define: (command) => {
    fieldFlags(command, monitorFlags);
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    fields: readFields(flags, monitorFlags),
  }),

  async run({ settings, fields, ...shown }, { io, signal, connect }) {
    const { asInput } = await import('./validate-fields.ts');
    const input = asInput(fields);
    const client = await connect(settings);
    const monitor = await client.monitors.create(input, { signal });
    await showMonitor(io, monitor, shown);
    if (shown.quiet || monitor.paused) return 'ok';
    const { sayNewGaps } = await import('./say-new-gaps.ts');
    await sayNewGaps(monitor, { client, signal, io });
    return 'ok';
  },
});
