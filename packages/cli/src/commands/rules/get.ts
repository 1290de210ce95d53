import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface GetOptions extends Shown {
  settings: SettingFlags;
  rule: string;
}

export const getRule = command<GetOptions>({
  path: 'rules get',
  summary: 'show one alert rule with all its fields',
  examples: ['rules get backups', 'rules get backups -o yaml'],
  define: (command) => shownFlags(command.argument('<rule>', 'its id, key or name')),
  parse: ([rule], flags) => ({ settings: settingFlags(flags), ...readShown(flags), rule: rule ?? '' }),

  async run({ settings, rule: word, ...shown }, { io, signal, connect }) {
    const client = await connect(settings);
    const { findRule } = await import('./find.ts');
    const { showRule } = await import('./show.ts');
    await showRule(io, await findRule(client, word, signal), shown, { client, signal });
    return 'ok';
  },
});
