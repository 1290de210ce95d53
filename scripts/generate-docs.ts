import { type Setting, settings } from '../packages/daemon/src/config/settings.ts';

/** docs/configuration.md: every setting of the daemon, from the schema that reads them. */
export function configurationDocs(): string {
  const code = (text: string | null | undefined) => (text === null || text === undefined ? '' : `\`${text}\``);
  const rows = (Object.entries(settings) as [string, Setting<unknown>][]).map(
    ([name, { env, flag, default: byDefault, publicDefault, docs }]) =>
      `| ${code(env)} | ${code(flag)} | ${code(name)} | ${code(byDefault)}${publicDefault ? `; in public mode ${code(publicDefault)}` : ''} | ${cell(docs)} |`,
  );
  return `<!-- Generated from packages/daemon/src/config/settings.ts by \`npm run generate\`. Do not edit. -->

# Configuration

Every setting of \`uptimed serve\` has a default that serves a person trying it out. A flag stands over the environment,
the environment over the file that \`--config <file>\` names (YAML or JSON, settings by their name there or by their name in
the environment). An empty variable is an unset one; an unknown setting in the file is an error.

| environment | flag | in the file | default | what it is |
|---|---|---|---|---|
${rows.join('\n')}

\`NODE_EXTRA_CA_CERTS\` names a file of further trusted roots, for targets with certificates of your own authority.

The command line and the SDK read \`UPTIME_SITE_URL\` and \`UPTIME_API_KEY\`; the command line reads \`UPTIME_PROFILE\` as well, and
keeps its profiles in \`~/.config/uptime/config.json\` (or in the folder that \`UPTIME_CONFIG_DIR\` names), readable by its
owner alone.
`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
