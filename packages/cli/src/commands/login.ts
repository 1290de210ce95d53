import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { readAll } from '../io.ts';
import { plain } from '../output.ts';
import { maskKey, type SettingFlags, type Settings } from '../settings.ts';
import { command, settingFlags } from './command.ts';

export const login = command<SettingFlags>({
  path: 'login',
  summary: "store a project's API key, after trying it",
  examples: ['login --api-key - < key.txt', 'login --site-url https://uptime.example.com --profile work'],
  parse: (_args, flags) => settingFlags(flags),

  async run(flags, context) {
    const { io, env } = context;
    const settings = context.settings({ ...flags, apiKey: undefined });
    const apiKey = await chooseKey(flags, settings, context);
    if (apiKey === '') throw new CliError('no key was read from standard input', { exit: 'usage' });
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new CliError('that is no API key: it has blanks or other characters that no key has', { exit: 'usage' });
    }
    const { Uptime } = await import('@uptime/sdk');
    const client = new Uptime({ apiKey, siteUrl: settings.siteUrl.value, fetch: context.fetch });
    const { projectOf } = await import('./project-of.ts');
    // A key that the server does not take is not stored: this throws.
    const project = await projectOf(client, context.signal);

    const { storeProfile } = await import('../profile-file.ts');
    await storeProfile(env, settings.profile.value, { siteUrl: settings.siteUrl.value, apiKey });
    const where = project ? `project ${plain(project.name)} on ${settings.siteUrl.value}` : settings.siteUrl.value;
    io.say(`Logged in to ${where} with ${maskKey(apiKey)} (profile ${settings.profile.value}).`);
    return 'ok';
  },
});

async function chooseKey(flags: SettingFlags, settings: Settings, { io, signal }: Context): Promise<string> {
  if (flags.apiKey === '-') return (await readAll(io.stdin)).trim();
  if (flags.apiKey) return flags.apiKey;
  if (!io.interactive) {
    throw new CliError('no key was given, and there is no terminal to ask on', {
      exit: 'usage',
      next: 'type `uptime login --api-key <key>`, or `uptime login --api-key -` to read it from standard input',
    });
  }
  const { password } = await import('@inquirer/prompts');
  const answer = await password(
    {
      message: `API key of a project on ${settings.siteUrl.value}`,
      mask: true,
      validate: (text) => text.trim() !== '',
    },
    { input: io.stdin, output: io.stderr, signal },
  );
  return answer.trim();
}
