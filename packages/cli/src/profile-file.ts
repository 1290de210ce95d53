import { join } from 'node:path';
import { CliError } from './exit.ts';
import { settingsDir, settingsFileName, type Profile, type SettingsFile } from './settings.ts';

type Env = Record<string, string | undefined>;

/** The content of the settings file before `storeProfile` changed it. */
export interface Before {
  /** The name of the current profile before the change. */
  current: string | undefined;
  /** The previous content of the changed profile. */
  profile: Profile | undefined;
}

/**
 * Stores a profile. Makes it the current one if `current` is set, or if there is no current profile. Only the owner can
 * read the file (mode 0600). Throws a CliError if the file cannot be written.
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

/** Removes a profile, and returns whether it existed. Throws a CliError if the file cannot be written. */
export async function removeProfile(env: Env, name: string): Promise<boolean> {
  return change(env, ({ current, profiles: { [name]: removed, ...profiles } = {} }) => ({
    next: current === name || current === undefined ? { profiles } : { profiles, current },
    answer: removed !== undefined,
  }));
}

async function change<T>(env: Env, edit: (file: SettingsFile) => { next: SettingsFile; answer: T }): Promise<T> {
  const dir = settingsDir(env);
  // Loads the package `conf` only to write. Reading the settings does not load it, so that `uptime ping` starts fast.
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
      next: 'set UPTIME_CONFIG_DIR to a writable folder',
      cause: error,
    });
  }
}
