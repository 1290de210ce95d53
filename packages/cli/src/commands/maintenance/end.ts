import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface EndOptions extends Shown {
  settings: SettingFlags;
  window: string;
  message: string | undefined;
}

export const endMaintenance = command<EndOptions>({
  path: 'maintenance end',
  summary: 'end a maintenance window early, or cancel a scheduled one',
  examples: ["maintenance end 'Database move'", "maintenance end 'Database move' --message 'Done early.'"],
  define: (command) =>
    shownFlags(
      command.argument('<window>', 'its id or title').option('--message <text>', 'last entry of the timeline'),
    ),
  parse: ([window], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    window: window ?? '',
    message: textFlag(flags, 'message'),
  }),

  async run({ settings, window: word, message, ...shown }, { io, signal, connect }) {
    const { asPatch } = await import('../incidents/validate-fields.ts');
    const { findIncident } = await import('../incidents/find.ts');
    const { showIncident } = await import('../incidents/show.ts');
    const patch = asPatch({ status: 'resolved', ...(message !== undefined && { message }) }, 'maintenance end');
    const client = await connect(settings);
    const { id, title, resolvedAt } = await findIncident(client, word, { signal, windows: true });
    if (resolvedAt !== null) io.say(`${JSON.stringify(plain(title))} had already ended at ${resolvedAt}.`);
    const ended = await client.incidents.update(id, patch, { signal });
    await showIncident(io, ended, shown, { client, signal });
    return 'ok';
  },
});
