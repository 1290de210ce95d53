import type { Project } from '@uptime/sdk';
import type { Context } from '../../context.ts';
import { plain } from '../../output.ts';
import { maskKey, type SettingFlags } from '../../settings.ts';

/** Stores a project's key in the profile, beside the session, so that further commands work on that project. */
export async function useProject(project: Project, flags: SettingFlags, context: Context): Promise<void> {
  const { siteUrl, profile, session } = context.settings(flags);
  const { storeProfile } = await import('../../profile-file.ts');
  await storeProfile(context.env, profile.value, {
    siteUrl: siteUrl.value,
    apiKey: project.apiKey,
    ...(session && { session: session.value }),
  });
  const { io, env } = context;
  io.say(`Project ${plain(project.name)} is in use, with ${maskKey(project.apiKey)} (profile ${profile.value}).`);
  if (env['UPTIME_API_KEY']) io.say('UPTIME_API_KEY is set in the environment, and stands over it.');
}
