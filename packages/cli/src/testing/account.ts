import type { TestDaemon } from '../../../daemon/src/testing/test-daemon.ts';
import { storeProfile } from '../profile-file.ts';
import { openSession, type Session, type SessionServer } from './session.ts';

/** The password of every user of a test daemon. */
export const testPassword = 'correct horse';

/**
 * Opens a session for a new user of a daemon. The settings file contains the user's login, and the project `shop` is in
 * use.
 */
export async function openAccount(daemon: TestDaemon, name: string): Promise<Session<SessionServer>> {
  const user = await daemon.another(name);
  const renamed = await daemon.request('PATCH', `/api/projects/${user.project.id}`, { name: 'shop' }, user);
  if (renamed.status !== 200) throw new Error(JSON.stringify(renamed.body));
  const session = await openSession({ siteUrl: daemon.url, apiKey: user.apiKey, fetch });
  delete session.env['UPTIME_API_KEY'];
  await storeProfile(session.env, 'default', { siteUrl: daemon.url, apiKey: user.apiKey, session: user.cookie });
  return session;
}
