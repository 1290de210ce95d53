import type { Project } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { plain } from '../../output.ts';
import { type SettingFlags } from '../../settings.ts';
import { maskKey } from '../../mask-key.ts';
import { printProfileSwitch } from '../../profile-switch.ts';

/**
 * Stores a project's key in the profile, beside the session. Then commands with this profile use the project. With
 * `current`, commands without `--profile` also use it.
 */
export async function useProject(
  project: Project,
  flags: SettingFlags,
  context: Context,
  { current }: { current: boolean },
): Promise<void> {
  const { siteUrl, profile, session } = context.settings(flags);
  const { storeProfile } = await import('../../profile-file.ts');
  const stored = {
    siteUrl: siteUrl.value,
    apiKey: project.apiKey,
    ...(session && { session: session.value }),
  };
  const before = await storeProfile(context.env, profile.value, stored, { current });
  const { io, env } = context;
  io.say(`Profile ${profile.value} now uses project ${plain(project.name)}, with ${maskKey(project.apiKey)}.`);
  if (current) printProfileSwitch(before.current, profile.value, io);
  if (env['UPTIME_API_KEY']) io.say('UPTIME_API_KEY is set in the environment, and overrides the key of the profile.');
}
