import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { showMonitor } from './show.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  monitor: string;
}

export const getMonitor = command<GetOptions>({
  path: 'monitors get',
  summary: 'show one monitor with all its fields; if it is down, also since when and why',
  examples: ['monitors get nightly-backup', 'monitors get nightly-backup -o yaml'],
  define: (command) => shownFlags(command.argument('<monitor>', 'its id, key or name')),
  parse: ([monitor], flags) => ({ settings: settingFlags(flags), ...readShown(flags), monitor: monitor ?? '' }),

  async run({ settings, monitor: word, ...shown }, context) {
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    const { readDownTime } = await import('./read-down-time.ts');
    const { io, signal } = context;
    const monitor = await findMonitor(client, word, signal);
    const isDown = monitor.status === 'down' && shown.format === 'table' && !shown.quiet;
    const down = isDown
      ? ((await readDownTime(client, monitor.id, { signal })) ??
        (await readDownTime(client, monitor.id, { from: monitor.createdAt.slice(0, 10), signal })))
      : null;
    await showMonitor(io, monitor, shown, down);
    return 'ok';
  },
});
