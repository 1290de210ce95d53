import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { readShown, type Shown, shownFlags } from '../show.ts';
import { showMonitor } from './show.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  monitor: string;
}

export const getMonitor = command<GetOptions>({
  path: 'monitors get',
  summary: 'show one monitor with all its fields',
  examples: ['monitors get nightly-backup', 'monitors get nightly-backup -o yaml'],
  define: (command) => shownFlags(command.argument('<monitor>', 'its id, key or name')),
  parse: ([monitor], flags) => ({ settings: settingFlags(flags), ...readShown(flags), monitor: monitor ?? '' }),

  async run({ settings, monitor: word, ...shown }, context) {
    const client = await context.connect(settings);
    const { findMonitor } = await import('./find.ts');
    await showMonitor(context.io, await findMonitor(client, word, context.signal), shown);
    return 'ok';
  },
});
