import type { Context } from '../context.ts';
import type { SettingFlags } from '../settings.ts';
import { command, settingFlags } from './command.ts';

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
      removed ? `Logged out: profile ${profile.value} is removed.` : `Profile ${profile.value} holds no key.`,
    );
    if (context.env['UPTIME_API_KEY']) context.io.say('UPTIME_API_KEY is still set in the environment.');
    return 'ok';
  },
});

/** Ends the session at the server. One that can't be reached keeps nobody logged in here. */
async function endSession(flags: SettingFlags, context: Context): Promise<void> {
  if (!context.settings(flags).session) return;
  const client = await context.connectAccount(flags);
  try {
    await client.auth.signOut({ signal: context.signal });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { explain } = await import('../report.ts');
    const { message } = await explain(error, context);
    context.io.say(`The session could not be ended at the server, and lasts until it expires: ${message}`);
  }
}
