import { fieldsOf, identityOf, type Kind, type Remote } from '../../kinds/kind.ts';
import { plain } from '../../output.ts';
import type { SettingFlags } from '../../settings.ts';
import { command } from '../../command.ts';
import { isSet, settingFlags, textFlag } from '../../flags/raw-flags.ts';

interface ExportOptions {
  settings: SettingFlags;
  showSecrets: boolean;
  /** The name of the manifest whose objects are exported; null for all objects. */
  managedBy: string | null;
}

export const exportMonitors = command<ExportOptions>({
  path: 'monitors export',
  aliases: ['export'],
  summary: 'print the whole project as a manifest',
  examples: ['export', 'monitors export > monitors.yaml'],
  define: (command) => {
    command
      .option('--managed-by <name>', 'print only what the manifest of this name manages')
      .option('--show-secrets', 'print the secrets of monitors instead of ${NAME}');
  },
  parse: (_args, flags) => ({
    settings: settingFlags(flags),
    showSecrets: isSet(flags, 'showSecrets'),
    managedBy: textFlag(flags, 'managedBy') ?? null,
  }),

  async run({ settings, showSecrets, managedBy }, context) {
    const { io, signal } = context;
    const client = await context.connect(settings);
    const { readExport } = await import('../../manifest/read-export.ts');
    const { writeManifest } = await import('../../manifest/write.ts');
    const { createSecretVariables } = await import('../../manifest/secret-variables.ts');
    const all = await readExport(client, signal, Date.now());
    const variables = createSecretVariables();
    const siteUrl = context.settings(settings).siteUrl.value;
    const { remotes, owner, owners } = ownedPart(all, managedBy);
    io.print(writeManifest(remotes, { siteUrl, variables, owner, showSecrets, named: all }).trimEnd());
    const note = (text: string) => io.say(`${io.err.yellow('note:')} ${text}`);
    for (const [kind, all] of remotes)
      for (const warning of [...newerTypes(kind, all), ...sameNames(kind, all)]) note(warning);
    if (owner === null && owners.length > 0) {
      const names = owners.map((name) => (name === null ? 'none' : JSON.stringify(plain(name)))).join(', ');
      note(
        `different manifests manage these objects (${names}): \`--managed-by <name>\` exports the objects of one manifest`,
      );
    }
    if (variables.names().length > 0) {
      const also = showSecrets ? '' : ', or add --show-secrets to print those of monitors';
      note(`secrets are left out: set ${variables.names().join(', ')} before you apply this${also}`);
    }
    return 'ok';
  },
});

/**
 * Returns the resources that the manifest `managedBy` manages; all resources if `managedBy` is null. If all returned
 * resources have the same manifest, `owner` is its name. If they do not, `owner` is null, and `owners` lists the names
 * of their manifests, with null for no manifest.
 */
function ownedPart(
  all: ReadonlyMap<Kind, readonly Remote[]>,
  managedBy: string | null,
): { remotes: ReadonlyMap<Kind, readonly Remote[]>; owner: string | null; owners: (string | null)[] } {
  if (managedBy !== null) {
    const own = [...all].map(([kind, some]) => [kind, some.filter((one) => one.managedBy === managedBy)] as const);
    const kept = own.filter(([kind, some]) => kind.name === 'monitor' || some.length > 0);
    return { remotes: new Map(kept), owner: managedBy, owners: [] };
  }
  const owners = [...new Set([...all.values()].flat().map((one) => one.managedBy ?? null))];
  const [owner = null] = owners;
  return owners.length === 1 ? { remotes: all, owner, owners: [] } : { remotes: all, owner: null, owners };
}

/**
 * Returns a warning for each object whose type this version does not know. The exported fields of such an object may be
 * incomplete.
 */
const newerTypes = (kind: Kind, remotes: readonly Remote[]): string[] =>
  remotes
    .filter((remote) => kind.knowsType?.(remote) === false)
    .map(
      ({ name, type }) =>
        `the ${kind.one} ${JSON.stringify(plain(name))} has the type ${plain(type ?? '')}, which this version does not know: update uptime before you apply this`,
    );

/**
 * Returns a warning for each name that several objects share, if one of these objects has no key. Neither apply nor a
 * reference can tell such objects apart.
 */
function sameNames(kind: Kind, remotes: readonly Remote[]): string[] {
  return [...Map.groupBy(remotes, (remote) => identityOf(kind, fieldsOf(remote))).values()]
    .filter((all) => all.length > 1 && all.some(({ key }) => key == null))
    .map((all) => {
      const [one] = all;
      const fix = kind.identity ? 'delete all but one' : 'give each a `key`';
      return `${all.length} ${kind.many} are named ${JSON.stringify(plain(one!.name))}: ${fix}`;
    });
}
