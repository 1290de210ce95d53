import { join } from 'node:path';
import { CliError } from './exit.ts';
import { settingsDir, settingsFileName, type Profile, type SettingsFile } from './settings.ts';

type Env = Record<string, string | undefined>;

/** What a profile was stored over. */
export interface Before {
  /** The profile that was current. */
  current: string | undefined;
  /** What the profile held. */
  profile: Profile | undefined;
}

/**
 * Stores a profile, and makes it the current one where `current` says so or none is. The file is readable by its owner
 * alone (mode 0600). Throws a CliError where it can't be written.
 */
export async function storeProfile(
  env: Env,
  name: string,
  profile: Profile,
  { current = false }: { current?: boolean } = {},
): Promise<Before> {
  return change(env, ({ current: was, profiles = {} }) => ({
    next: {
      profiles: { ...profiles, [name]: profile },
      current: current || was === undefined ? name : was,
    },
    answer: { current: was, profile: profiles[name] },
  }));
}

/** Removes a profile; answers whether there was one. Throws a CliError where the file can't be written. */
export async function removeProfile(env: Env, name: string): Promise<boolean> {
  return change(env, ({ current, profiles: { [name]: removed, ...profiles } = {} }) => ({
    next: current === name || current === undefined ? { profiles } : { profiles, current },
    answer: removed !== undefined,
  }));
}

async function change<T>(env: Env, edit: (file: SettingsFile) => { next: SettingsFile; answer: T }): Promise<T> {
  const dir = settingsDir(env);
  // conf is loaded here alone: reading the settings must stay quick, for `uptime ping`.
  const { default: Conf } = await import('conf');
  try {
    const file = new Conf<SettingsFile>({
      cwd: dir,
      configName: settingsFileName.replace(/\.json$/, ''),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      projectName: 'uptime',
      projectVersion: '0',
    });
    const { next, answer } = edit(file.store);
    file.store = next;
    return answer;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`the settings file ${join(dir, settingsFileName)} cannot be written (${code ?? message})`, {
      next: 'set UPTIME_CONFIG_DIR to a folder that can be',
      cause: error,
    });
  }
}
