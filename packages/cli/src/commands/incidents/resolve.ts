import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags, textFlag } from '../../flags/raw-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';

interface ResolveOptions extends Shown {
  settings: SettingFlags;
  incident: string;
  message: string | undefined;
}

export const resolveIncident = command<ResolveOptions>({
  path: 'incidents resolve',
  summary: 'end an incident',
  examples: [
    "incidents resolve 'Checkout is slow'",
    "incidents resolve 'Checkout is slow' --message 'The cable is whole again.'",
  ],
  define: (command) =>
    shownFlags(
      command.argument('<incident>', 'its id or title').option('--message <text>', 'last entry of the timeline'),
    ),
  parse: ([incident], flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    incident: incident ?? '',
    message: textFlag(flags, 'message'),
  }),

  async run({ settings, incident: word, message, ...shown }, { io, signal, connect }) {
    const { asPatch } = await import('./validate-fields.ts');
    const { findIncident } = await import('./find.ts');
    const { showIncident } = await import('./show.ts');
    const patch = asPatch({ status: 'resolved', ...(message !== undefined && { message }) }, 'incidents resolve');
    const client = await connect(settings);
    const { id } = await findIncident(client, word, { signal });
    await showIncident(io, await client.incidents.update(id, patch, { signal }), shown, { client, signal });
    return 'ok';
  },
});
