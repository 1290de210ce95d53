import type { Context } from '../../context.ts';
import type { SettingFlags } from '../../settings.ts';
import type { Target } from './request-target.ts';

/**
 * Returns the headers with the credential that an endpoint needs: the key of a project, or the session of an account. A
 * public endpoint gets any available credential. Throws a CliError if the endpoint needs a credential that is not set.
 */
export async function credentialFor(
  { endpoint, url }: Target,
  settings: SettingFlags,
  context: Pick<Context, 'settings' | 'connect' | 'connectAccount'>,
): Promise<Record<string, string>> {
  const { apiKey, session } = context.settings(settings);
  const access = endpoint?.access ?? (apiKey ? 'project' : 'session');
  if (access === 'ping') return {};
  const byKey = apiKey && { 'x-api-key': apiKey.value };
  // The server refuses a session cookie without an origin.
  const bySession = session && { cookie: session.value, origin: url.origin };
  if (access === 'public') return bySession || byKey || {};
  if (access === 'session' || access === 'admin') {
    if (!bySession) await context.connectAccount(settings);
    return bySession || {};
  }
  if (!byKey) await context.connect(settings);
  return byKey || {};
}
