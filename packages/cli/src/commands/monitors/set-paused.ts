import type { SettingFlags } from '../../settings.ts';
import { type CliCommand, command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { showMonitor } from './show.ts';

interface PauseOptions extends Shown {
  settings: SettingFlags;
  monitor: string;
}

/** Creates the command that pauses a monitor, or the one that resumes it. */
export const setPaused = (verb: 'pause' | 'resume', summary: string): CliCommand =>
  command<PauseOptions>({
    path: `monitors ${verb}`,
    summary,
    examples: [`monitors ${verb} nightly-backup`, `monitors ${verb} nightly-backup --quiet`],
    define: (command) => shownFlags(command.argument('<monitor>', 'its id, key or name')),
    parse: ([monitor], flags) => ({ settings: settingFlags(flags), ...readShown(flags), monitor: monitor ?? '' }),

    async run({ settings, monitor: word, ...shown }, context) {
      const { signal } = context;
      const client = await context.connect(settings);
      const { findMonitor } = await import('./find.ts');
      const { id } = await findMonitor(client, word, signal);
      await showMonitor(context.io, await client.monitors.update(id, { paused: verb === 'pause' }, { signal }), shown);
      return 'ok';
    },
  });
