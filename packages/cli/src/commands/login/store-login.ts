import type { Context } from '../../context.ts';
import { storeProfile } from '../../profile-file.ts';
import type { Profile, Settings } from '../../settings.ts';
import { tellSwitch } from '../../tell-switch.ts';

/** Stores a login in its profile, makes that profile current, and prints what changed. */
export async function storeLogin(
  login: Omit<Profile, 'siteUrl'>,
  { siteUrl, profile }: Pick<Settings, 'siteUrl' | 'profile'>,
  told: string,
  { env, io }: Pick<Context, 'env' | 'io'>,
): Promise<void> {
  const stored = { siteUrl: siteUrl.value, ...login };
  const before = await storeProfile(env, profile.value, stored, { current: true });
  io.say(`${told} (profile ${profile.value}).`);
  if (before.profile?.siteUrl && before.profile.siteUrl !== siteUrl.value) {
    io.say(`This replaced the login to ${before.profile.siteUrl}; \`--profile <name>\` keeps both.`);
  }
  tellSwitch(before.current, profile.value, io);
}
