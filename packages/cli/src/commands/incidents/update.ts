import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { monitorsFlag, readMonitors } from '../../flags/reference-flags.ts';
import { refuseNothing } from '../../flags/refuse-faults.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { incidentFlags } from '../../nouns/flags/incidents.ts';

interface UpdateOptions extends Shown {
  settings: SettingFlags;
  incident: string;
  patch: Record<string, unknown>;
  monitors: string[] | undefined;
}

export const updateIncident = command<UpdateOptions>({
  path: 'incidents update',
  summary: 'change an incident, or add a status or a message to its timeline',
  examples: [
    "incidents update 'Checkout is slow' --status monitoring --message 'A fix is out.'",
    "incidents update 'Checkout is slow' --monitors shop,nightly-backup",
  ],
  define: (command) => {
    command.argument('<incident>', 'its id or title');
    fieldFlags(command, incidentFlags);
    monitorsFlag(command, 'affected monitors');
    shownFlags(command);
  },
  parse: ([incident], flags) => {
    const patch = readFields(flags, incidentFlags);
    const monitors = readMonitors(flags);
    refuseNothing({ ...patch, ...(monitors && { monitors }) }, 'incidents update', '--status monitoring');
    return { settings: settingFlags(flags), ...readShown(flags), incident: incident ?? '', patch, monitors };
  },

  async run({ settings, incident: word, patch: typed, monitors, ...shown }, { io, signal, connect }) {
    const { asPatch } = await import('./validate-fields.ts');
    const { resolveMonitors } = await import('../../nouns/resolve-ids.ts');
    const { findIncident } = await import('./find.ts');
    const { showIncident } = await import('./show.ts');
    const patch = asPatch(typed, 'incidents update');
    const client = await connect(settings);
    const { id } = await findIncident(client, word, { signal });
    const of = await resolveMonitors(monitors, { client, signal });
    await showIncident(io, await client.incidents.update(id, { ...patch, ...of }, { signal }), shown, {
      client,
      signal,
    });
    return 'ok';
  },
});
