import { nearest } from '@uptime/sdk/contract';
import { allRoles } from '../core/roles.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

/** The settings as parsed values. */
export type Config = { [N in SettingName]: ReturnType<(typeof settings)[N]['parse']> };

/** An error for invalid settings. Each line of the message is a sentence. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The sources of settings, the strongest first. */
export interface ConfigSources {
  /** Settings on the command line, by the name of the setting. */
  flags?: Partial<Record<SettingName, string>>;
  env?: Record<string, string | undefined>;
  /** Settings in the config file, by the name of the setting or of its environment variable. */
  file?: Record<string, unknown>;
}

/** Variables of the command line and the SDK, which may be set in the same environment. */
const clientVariables = ['UPTIME_API_KEY', 'UPTIME_PROFILE', 'UPTIME_CONFIG_DIR'];

/** Returns the environment variables that look like settings but are not. */
export const unknownVariables = (env: Record<string, string | undefined>): string[] =>
  Object.keys(env).filter((name) => name.startsWith('UPTIME_') && !knownVariables().includes(name));

const knownVariables = () => [...Object.values(settings).map(({ env }) => env), ...clientVariables];

/**
 * Returns all settings. A flag overrides the environment, which overrides the file, which overrides the default. Throws
 * a ConfigError with every fault.
 */
export function readConfig({ flags = {}, env = {}, file = {} }: ConfigSources): Config {
  // A mistyped UPTIME_TARGETS would open the inner network to everyone with an account, so typos are refused.
  const faults = unknownVariables(env).flatMap((name) => {
    const meant = nearest(name, knownVariables());
    return meant === null ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
  const inFile = readFile(file, faults);
  // An empty variable counts as unset, because compose files and shells pass an omitted value as an empty text.
  const setTo = (name: SettingName) => flags[name] ?? (env[settings[name].env] || undefined) ?? inFile[name];
  const isPublic = setTo('mode') === 'public';
  const config: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const given = setTo(name) ?? (isPublic ? one.publicDefault : undefined) ?? one.default;
    const where = flags[name] === undefined ? one.env : (one.flag ?? one.env);
    try {
      config[name] = given === null ? null : one.parse(given);
    } catch (error) {
      // The message never contains the value, because an invalid secret must not be shown either.
      faults.push(`${where} ${(error as Error).message}.`);
    }
    if (isPublic && given !== null && one.notInPublic?.includes(given)) {
      faults.push(`${where}=${given} contradicts UPTIME_MODE=public: leave one of them out.`);
    }
  }
  if (faults.length === 0) faults.push(...faultsTogether(config as Config));
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config as Config;
}

/** Returns a sentence for each contradiction between settings. */
function faultsTogether({ roles, databaseUrl }: Config): string[] {
  if (databaseUrl !== null || roles.length === allRoles.length) return [];
  const why = 'only one daemon can use a SQLite database, so it needs every role';
  return [`UPTIME_ROLES=${roles.join(',')} needs PostgreSQL: ${why}. Set UPTIME_DATABASE_URL, or leave the roles out.`];
}

/** Returns the file's settings as text, by name. Adds a sentence to `faults` for each setting that is not valid. */
function readFile(file: Record<string, unknown>, faults: string[]): Partial<Record<SettingName, string>> {
  const found: Partial<Record<SettingName, string>> = {};
  for (const [given, value] of Object.entries(file)) {
    const name = (Object.keys(settings) as SettingName[]).find((one) => one === given || settings[one].env === given);
    if (!name) faults.push(`The config file has an unknown setting: ${given}.`);
    else if (Array.isArray(value)) found[name] = value.map(String).join(',');
    else if (['string', 'number', 'boolean'].includes(typeof value)) found[name] = String(value);
    else if (value !== null)
      faults.push(`${given} in the config file must be a text, a number, true or false, or a list.`);
  }
  return found;
}
