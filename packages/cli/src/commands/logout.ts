import type { Context } from '../context.ts';
import type { SettingFlags } from '../settings.ts';
import { command } from '../command.ts';
import { settingFlags } from '../flags/raw-flags.ts';

export const logout = command<SettingFlags>({
  path: 'logout',
  summary: 'log out, and remove the stored key and session',
  examples: ['logout', 'logout --profile work'],
  parse: (_args, flags) => settingFlags(flags),

  async run(flags, context) {
    const { profile } = context.settings({ profile: flags.profile });
    await endSession(flags, context);
    const { removeProfile } = await import('../profile-file.ts');
    const removed = await removeProfile(context.env, profile.value);
    context.io.say(
      removed ? `Logged out and removed profile ${profile.value}.` : `Profile ${profile.value} holds no login.`,
    );
    if (context.env['UPTIME_API_KEY']) context.io.say('UPTIME_API_KEY is still set in the environment.');
    return 'ok';
  },
});

/** Ends the session on the server. The caller removes the stored login even if the server cannot be reached. */
async function endSession(flags: SettingFlags, context: Context): Promise<void> {
  if (!context.settings(flags).session) return;
  const client = await context.connectAccount(flags);
  try {
    await client.auth.signOut({ signal: context.signal });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { explain } = await import('../report.ts');
    const { message } = await explain(error, context);
    context.io.say(`The session could not be ended on the server, so it lasts until it expires: ${message}`);
  }
}
