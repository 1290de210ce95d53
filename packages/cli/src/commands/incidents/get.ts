import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  incident: string;
}

export const getIncident = command<GetOptions>({
  path: 'incidents get',
  summary: 'show one incident, or one maintenance window, with its timeline',
  examples: ["incidents get 'Checkout is slow'", "incidents get 'Checkout is slow' -o yaml"],
  define: (command) => shownFlags(command.argument('<incident>', 'its id or title')),
  parse: ([incident], flags) => ({ settings: settingFlags(flags), ...readShown(flags), incident: incident ?? '' }),

  async run({ settings, incident: word, ...shown }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findIncident } = await import('./find.ts');
    const { showIncident } = await import('./show.ts');
    await showIncident(io, await findIncident(client, word, { signal }), shown, { client, signal });
    return 'ok';
  },
});
