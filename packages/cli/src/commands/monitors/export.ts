import type { Monitor } from '@uptime/sdk';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command, isSet, settingFlags } from '../command.ts';
import { allMonitors } from './all.ts';

interface ExportOptions {
  settings: SettingFlags;
  showSecrets: boolean;
}

export const exportMonitors = command<ExportOptions>({
  path: 'monitors export',
  summary: 'print the monitors of the project as a manifest that applies without a change',
  examples: ['monitors export', 'monitors export > monitors.yaml'],
  define: (command) => {
    command.option('--show-secrets', 'print headers and passwords as they are, not as ${NAME}');
  },
  parse: (_args, flags) => ({ settings: settingFlags(flags), showSecrets: isSet(flags, 'showSecrets') }),

  async run({ settings, showSecrets }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const monitors = await allMonitors(client, signal);
    const { writeManifest } = await import('../../manifest/write.ts');
    const { createSecretVariables } = await import('../../manifest/secret-variables.ts');
    const variables = createSecretVariables();
    io.print(writeManifest(monitors, showSecrets ? undefined : variables).trimEnd());
    const note = (text: string) => io.say(`${io.err.yellow('note:')} ${text}`);
    for (const warning of sameNames(monitors)) note(warning);
    if (variables.names().length > 0) {
      note(`secrets are left out: set ${variables.names().join(', ')} before you apply this, or add --show-secrets`);
    }
    return 'ok';
  },
});

function sameNames(monitors: readonly Monitor[]): string[] {
  const nameless = monitors.filter(({ key }) => key == null);
  return [...Map.groupBy(nameless, ({ name }) => name)]
    .filter(([, all]) => all.length > 1)
    .map(([name, all]) => `${all.length} monitors are named ${JSON.stringify(plain(name))}: give each a \`key\``);
}
