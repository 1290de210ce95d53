import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { monitorsFlag, readMonitors } from '../../flags/reference-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { incidentFlags } from '../../nouns/flags/incidents.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  fields: Record<string, unknown>;
  monitors: string[] | undefined;
}

export const createIncident = command<CreateOptions>({
  path: 'incidents create',
  summary: 'open an incident; the status pages of its monitors show it',
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

  async run({ settings, fields: typed, monitors: named, ...shown }, context) {
    const { io, signal } = context;
    const { asInput } = await import('./validate-fields.ts');
    const { resolveMonitors } = await import('../../nouns/resolve-ids.ts');
    const { showIncident } = await import('./show.ts');
    if (!io.interactive) asInput(typed, 'incidents create');
    const client = await context.connect(settings);
    const asking = io.interactive ? await import('./ask-incident.ts') : null;
    const { fields, monitors } = asking
      ? await asking.askIncident({ fields: typed, monitors: named }, client, context)
      : { fields: typed, monitors: named };
    const input = asInput(fields, 'incidents create');
    const of = await resolveMonitors(monitors, { client, signal });
    const asked = fields['title'] !== typed['title'] || fields['message'] !== typed['message'] || monitors !== named;
    if (asking) await asking.showAudience(of.monitorIds ?? [], asked, client, context);
    const incident = await client.incidents.create({ ...input, ...of }, { signal });
    await showIncident(io, incident, shown, { client, signal });
    return 'ok';
  },
});
