import type { SettingFlags } from '../settings.ts';
import { command, settingFlags } from './command.ts';

export const logout = command<SettingFlags>({
  path: 'logout',
  summary: 'remove the stored key of a profile',
  examples: ['logout', 'logout --profile work'],
  parse: (_args, flags) => settingFlags(flags),

  async run(flags, context) {
    const { profile } = context.settings({ profile: flags.profile });
    const { removeProfile } = await import('../profile-file.ts');
    const removed = await removeProfile(context.env, profile.value);
    context.io.say(
      removed ? `Logged out: profile ${profile.value} is removed.` : `Profile ${profile.value} holds no key.`,
    );
    if (context.env['UPTIME_API_KEY']) context.io.say('UPTIME_API_KEY is still set in the environment.');
    return 'ok';
  },
});
