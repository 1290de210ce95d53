import type { SettingFlags } from '../../settings.ts';
import { command, settingFlags } from '../command.ts';
import { fieldFlags, readFields } from '../field-flags.ts';
import { monitorsFlag, readMonitors } from '../monitors-flag.ts';
import { readShown, type Shown, shownFlags } from '../show.ts';
import { incidentFlags } from './flags.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  fields: Record<string, unknown>;
  monitors: string[] | undefined;
}

export const createIncident = command<CreateOptions>({
  path: 'incidents create',
  summary: 'open an incident, which the status pages of its monitors show',
  examples: [
    "incidents create --title 'Checkout is slow' --monitors shop",
    "incidents create --title 'Checkout is slow' --monitors shop --status identified --message 'A cable is cut.'",
  ],
  define: (command) => {
    fieldFlags(command, incidentFlags);
    monitorsFlag(command, 'affected monitors');
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    fields: readFields(flags, incidentFlags),
    monitors: readMonitors(flags),
  }),

  async run({ settings, fields: typed, monitors, ...shown }, context) {
    const { io, signal } = context;
    const { askTitle } = await import('./ask-title.ts');
    const { asInput } = await import('./validate-fields.ts');
    const { resolveMonitors } = await import('../resolve-ids.ts');
    const { showIncident } = await import('./show.ts');
    const input = asInput(await askTitle(typed, context), 'incidents create');
    const client = await context.connect(settings);
    const of = await resolveMonitors(monitors, { client, signal });
    const incident = await client.incidents.create({ ...input, ...of }, { signal });
    await showIncident(io, incident, shown, { client, signal });
    return 'ok';
  },
});
