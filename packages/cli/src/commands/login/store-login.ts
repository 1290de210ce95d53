import type { Context } from '../../context.ts';
import { storeProfile } from '../../profile-file.ts';
import type { Profile, Settings } from '../../settings.ts';
import { printProfileSwitch } from '../../profile-switch.ts';

/** Stores a login in its profile, makes the profile the current one, and prints both changes. */
export async function storeLogin(
  login: Omit<Profile, 'siteUrl'>,
  { siteUrl, profile }: Pick<Settings, 'siteUrl' | 'profile'>,
  message: string,
  { env, io }: Pick<Context, 'env' | 'io'>,
): Promise<void> {
  const stored = { siteUrl: siteUrl.value, ...login };
  const before = await storeProfile(env, profile.value, stored, { current: true });
  io.say(`${message} (profile ${profile.value}).`);
  if (before.profile?.siteUrl && before.profile.siteUrl !== siteUrl.value) {
    io.say(`This replaced the login to ${before.profile.siteUrl}; \`--profile <name>\` keeps both.`);
  }
  printProfileSwitch(before.current, profile.value, io);
}
