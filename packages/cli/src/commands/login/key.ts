import type { Context } from '../../context.ts';
import { CliError, type ExitName } from '../../exit.ts';
import { plain } from '../../output.ts';
import { type SettingFlags } from '../../settings.ts';
import { maskKey } from '../../mask-key.ts';

/** Stores the API key of a project in the profile, after the server has accepted the key. */
export async function loginWithKey(apiKey: string, flags: SettingFlags, context: Context): Promise<ExitName> {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CliError('that is not an API key: it contains spaces or other characters that keys never have', {
      exit: 'usage',
    });
  }
  const settings = context.settings({ ...flags, apiKey: undefined });
  const { value: siteUrl } = settings.siteUrl;
  const { Uptime } = await import('@uptime/sdk');
  const client = new Uptime({ apiKey, siteUrl, fetch: context.fetch, onRequest: context.tracer(flags) });
  const { projectOf } = await import('../project-of.ts');
  // `projectOf` throws if the server does not accept the key. So a refused key is not stored.
  const project = await projectOf(client, context.signal);

  const { keyInUse, describeKey } = await import('../key-in-use.ts');
  const description = describeKey(await keyInUse(client, context.signal));

  const { storeLogin } = await import('./store-login.ts');
  const where = project ? `project ${plain(project.name)} on ${siteUrl}` : siteUrl;
  await storeLogin(
    { apiKey },
    settings,
    `Logged in to ${where} with ${maskKey(apiKey)}${description ? `, ${description}` : ''}`,
    context,
  );
  return 'ok';
}
