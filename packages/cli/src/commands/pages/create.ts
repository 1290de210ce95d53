import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { settingFlags } from '../../flags/raw-flags.ts';
import { fieldFlags, readFields } from '../../flags/field-flags.ts';
import { monitorsFlag, readMonitors } from '../../flags/reference-flags.ts';
import { readShown, type Shown, shownFlags } from '../../flags/output-flags.ts';
import { pageFlags } from '../../nouns/flags/pages.ts';

interface CreateOptions extends Shown {
  settings: SettingFlags;
  fields: Record<string, unknown>;
  monitors: string[] | undefined;
}

export const createPage = command<CreateOptions>({
  path: 'pages create',
  summary: 'create a public status page; on a terminal, asks for missing fields',
  examples: [
    'pages create --name Shop --slug shop --monitors shop,nightly-backup',
    'pages create --name Shop --slug shop-status --monitors shop --custom-domain status.example.com',
  ],
  define: (command) => {
    fieldFlags(command, pageFlags);
    monitorsFlag(command, 'monitors on the page, in this order');
    shownFlags(command);
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    ...readShown(flags),
    fields: readFields(flags, pageFlags),
    monitors: readMonitors(flags),
  }),

  async run({ settings, fields: typed, monitors: named, ...shown }, context) {
    const { io, signal } = context;
    const { asInput } = await import('./validate-fields.ts');
    const { resolveMonitors } = await import('../../nouns/resolve-ids.ts');
    const { showPage } = await import('./show.ts');
    if (!io.interactive) asInput(typed);
    const client = await context.connect(settings);
    const { fields, monitors } = io.interactive
      ? await (await import('./ask-page.ts')).askPage({ fields: typed, monitors: named }, client, context)
      : { fields: typed, monitors: named };
    const input = { ...asInput(fields), ...(await resolveMonitors(monitors, { client, signal })) };
    await showPage(io, await client.statusPages.create(input, { signal }), shown, { client, signal });
    return 'ok';
  },
});
