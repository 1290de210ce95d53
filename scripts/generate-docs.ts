import { type Setting, settings } from '../packages/daemon/src/config/settings.ts';

/** Returns docs/configuration.md: every setting of the daemon, from the schema that reads them. */
export function configurationDocs(): string {
  const code = (text: string | null | undefined) => (text === null || text === undefined ? '' : `\`${text}\``);
  const rows = (Object.entries(settings) as [string, Setting<unknown>][]).map(
    ([name, { env, flag, default: byDefault, publicDefault, docs }]) =>
      `| ${code(env)} | ${code(flag)} | ${code(name)} | ${code(byDefault)}${publicDefault ? `; in public mode ${code(publicDefault)}` : ''} | ${cell(docs)} |`,
  );
  return `<!-- Generated from packages/daemon/src/config/settings.ts by \`npm run generate\`. Do not edit. -->

# Configuration

Every setting of \`uptimed serve\` has a default that suits a first try. A flag overrides the environment, and the
environment overrides the file given by \`--config <file>\`. The file is YAML or JSON, and uses the names in the column "in the file"
or the names of the environment. An empty variable is ignored. An unknown setting in the file is an error.

| environment | flag | in the file | default | meaning |
|---|---|---|---|---|
${rows.join('\n')}

\`NODE_EXTRA_CA_CERTS\` names a file of further trusted roots, for targets with certificates of your own authority.

The command line and the SDK read \`UPTIME_SITE_URL\` and \`UPTIME_API_KEY\`. The command line also reads
\`UPTIME_PROFILE\`. It keeps its profiles in \`~/.config/uptime/config.json\`, or in the folder given by
\`UPTIME_CONFIG_DIR\`. Only the owner can read that file.
`;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
