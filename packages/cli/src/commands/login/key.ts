import type { Context } from '../../context.ts';
import { CliError, type ExitName } from '../../exit.ts';
import { plain } from '../../output.ts';
import { maskKey, type SettingFlags } from '../../settings.ts';

/** Stores a project's key in the profile, once the server has taken it. */
export async function loginWithKey(apiKey: string, flags: SettingFlags, context: Context): Promise<ExitName> {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CliError('that is no API key: it has blanks or other characters that no key has', { exit: 'usage' });
  }
  const settings = context.settings({ ...flags, apiKey: undefined });
  const { value: siteUrl } = settings.siteUrl;
  const { Uptime } = await import('@uptime/sdk');
  const client = new Uptime({ apiKey, siteUrl, fetch: context.fetch, onRequest: context.tracer(flags) });
  const { projectOf } = await import('../project-of.ts');
  // A key that the server does not take is not stored: this throws.
  const project = await projectOf(client, context.signal);

  const { storeLogin } = await import('./store-login.ts');
  const where = project ? `project ${plain(project.name)} on ${siteUrl}` : siteUrl;
  await storeLogin({ apiKey }, settings, `Logged in to ${where} with ${maskKey(apiKey)}`, context);
  return 'ok';
}
