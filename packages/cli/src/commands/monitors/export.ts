import { fieldsOf, identityOf, type Kind, type Remote } from '../../kinds/kind.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags } from '../../flags/raw-flags.ts';

interface ExportOptions {
  settings: SettingFlags;
  showSecrets: boolean;
}

export const exportMonitors = command<ExportOptions>({
  path: 'monitors export',
  aliases: ['export'],
  summary: 'print the whole project as a manifest',
  examples: ['export', 'monitors export > monitors.yaml'],
  define: (command) => {
    command.option('--show-secrets', 'print the secrets of monitors instead of ${NAME}');
  },
  parse: (_args, flags) => ({ settings: settingFlags(flags), showSecrets: isSet(flags, 'showSecrets') }),

  async run({ settings, showSecrets }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { readExport } = await import('../../manifest/read-export.ts');
    const { writeManifest } = await import('../../manifest/write.ts');
    const { createSecretVariables } = await import('../../manifest/secret-variables.ts');
    const remotes = await readExport(client, signal, Date.now());
    const variables = createSecretVariables();
    const siteUrl = context.settings(settings).siteUrl.value;
    io.print(writeManifest(remotes, { siteUrl, variables, showSecrets }).trimEnd());
    const note = (text: string) => io.say(`${io.err.yellow('note:')} ${text}`);
    for (const [kind, all] of remotes) for (const warning of sameNames(kind, all)) note(warning);
    if (variables.names().length > 0) {
      const also = showSecrets ? '' : ', or add --show-secrets to print those of monitors';
      note(`secrets are left out: set ${variables.names().join(', ')} before you apply this${also}`);
    }
    return 'ok';
  },
});

/** Warns of shared names where an object has no key: neither apply nor a reference can tell such objects apart. */
function sameNames(kind: Kind, remotes: readonly Remote[]): string[] {
  return [...Map.groupBy(remotes, (remote) => identityOf(kind, fieldsOf(remote))).values()]
    .filter((all) => all.length > 1 && all.some(({ key }) => key == null))
    .map((all) => {
      const [one] = all;
      const fix = kind.identity ? 'delete all but one' : 'give each a `key`';
      return `${all.length} ${kind.many} are named ${JSON.stringify(plain(one!.name))}: ${fix}`;
    });
}
