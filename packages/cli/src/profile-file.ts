import { settingsDir, settingsFileName, type Profile, type SettingsFile } from './settings.ts';

type Env = Record<string, string | undefined>;

/** Stores a profile and makes it the current one. The file is readable by its owner alone (mode 0600). */
export async function storeProfile(env: Env, name: string, profile: Profile): Promise<void> {
  const file = await open(env);
  file.set('profiles', { ...file.get('profiles'), [name]: profile });
  file.set('current', name);
}

/** Removes a profile; answers whether there was one. */
export async function removeProfile(env: Env, name: string): Promise<boolean> {
  const file = await open(env);
  const { [name]: removed, ...rest } = file.get('profiles') ?? {};
  file.set('profiles', rest);
  if (file.get('current') === name) file.delete('current');
  return removed !== undefined;
}

// conf is loaded here alone: reading the settings must stay quick, for `uptime ping`.
async function open(env: Env) {
  const { default: Conf } = await import('conf');
  return new Conf<Required<SettingsFile>>({
    cwd: settingsDir(env),
    configName: settingsFileName.replace(/\.json$/, ''),
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    projectName: 'uptime',
    projectVersion: '0',
  });
}
