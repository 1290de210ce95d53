import type { Context } from '../context.ts';
import { type Format, output, pairs } from '../output.ts';
import { type SettingFlags } from '../settings.ts';
import { maskKey } from '../mask.ts';
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
    // Prints the settings first, so that they appear even if the server does not answer.
    const key = apiKey && { value: maskKey(apiKey.value), from: apiKey.from };
    if (format === 'table') {
      context.io.print(
        pairs([
          ['site', told(siteUrl)],
          ['profile', told(profile)],
          ['key', key ? told(key) : 'none'],
          ...(session ? [['session', `stored (${session.from})`] as const] : []),
        ]),
      );
    }
    const project = await askProject(flags, context);
    await output(context.io, format, { siteUrl, profile, apiKey: key, project }, () =>
      project ? `project: ${project.name} (${project.id})` : 'project: the server does not name it',
    );
    return 'ok';
  },
});

async function askProject(flags: SettingFlags, context: Context) {
  const client = await context.connect(flags);
  const { projectInUse } = await import('./project-of.ts');
  const project = await projectInUse(client, flags, context);
  return project && { id: project.id, name: project.name };
}

const told = ({ value, from }: { value: string; from: string }) => `${value} (${from})`;
