import type { CurrentKey } from '@uptime/sdk';
import type { Context } from '../context.ts';
import { type Format, output, pairs } from '../output.ts';
import { type SettingFlags } from '../settings.ts';
import { maskKey } from '../mask-key.ts';
import { command } from '../command.ts';
import { settingFlags } from '../flags/raw-flags.ts';
import { formatFlag, readFormat } from '../flags/output-flags.ts';

interface WhoamiOptions {
  settings: SettingFlags;
  format: Format;
}

export const whoami = command<WhoamiOptions>({
  path: 'whoami',
  summary: 'show which server, profile and project are in use, and why',
  examples: ['whoami', 'whoami -o json'],
  define: formatFlag,
  parse: (_args, flags) => ({ settings: settingFlags(flags), format: readFormat(flags) }),

  async run({ settings: flags, format }, context) {
    const { siteUrl, profile, apiKey, session } = context.settings(flags);
    // The settings are printed before any request, so that they appear even if the server does not answer.
    const key = apiKey && { value: maskKey(apiKey.value), from: apiKey.from };
    if (format === 'table') {
      context.io.print(
        pairs([
          ['site', withSource(siteUrl)],
          ['profile', withSource(profile)],
          ['key', key ? withSource(key) : 'none'],
          ...(session ? [['session', `stored (${session.from})`] as const] : []),
        ]),
      );
    }
    const { project, used } = await askServer(flags, context);
    const { scope = null, expiresAt = null } = used ?? {};
    await output(context.io, format, { siteUrl, profile, apiKey: key && { ...key, scope, expiresAt }, project }, () =>
      pairs([
        ...(used?.id ? [['may', describeScope(used)] as const] : []),
        ['project', project ? `${project.name} (${project.id})` : (used?.projectId ?? 'the server does not name it')],
      ]),
    );
    return 'ok';
  },
});

async function askServer(flags: SettingFlags, context: Context) {
  const client = await context.connect(flags);
  const { projectInUse } = await import('./project-of.ts');
  const { keyInUse } = await import('./key-in-use.ts');
  const project = await projectInUse(client, flags, context);
  const used = await keyInUse(client, context.signal);
  return { project: project && { id: project.id, name: project.name }, used };
}

const describeScope = ({ name, scope, expiresAt }: CurrentKey): string =>
  `${scope} (key ${JSON.stringify(name)}${expiresAt === null ? '' : `, until ${expiresAt}`})`;

const withSource = ({ value, from }: { value: string; from: string }) => `${value} (${from})`;
