import { readFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { CliError } from './exit.ts';

/** A profile in the settings file: a server, the API key of one of its projects, and the session of an account. */
export interface Profile {
  siteUrl?: string;
  apiKey?: string;
  /** The cookie of the session. */
  session?: string;
}

/** The content of the settings file. */
export interface SettingsFile {
  current?: string;
  profiles?: Record<string, Profile>;
}

/** The value of a setting, and the place where it was found, such as a flag. */
export interface Setting<T> {
  value: T;
  from: string;
}

/**
 * All settings of a run. A flag overrides the environment, the environment overrides the file, and the file overrides
 * the default.
 */
export interface Settings {
  path: string;
  profile: Setting<string>;
  siteUrl: Setting<string>;
  apiKey: Setting<string> | null;
  /** The session of the account. Commands that manage projects need it. */
  session: Setting<string> | null;
  /**
   * The error for a chosen profile that does not exist; null if the profile exists, or if none was chosen by a flag or
   * the environment.
   */
  profileMissing: string | null;
  /** Why a stored key is not used; null if it is used, or if there is none. */
  keyWithheld: string | null;
  /** Why a stored session is not used; null if it is used, or if there is none. */
  sessionWithheld: string | null;
}

/** The flags that every command has. */
export interface SettingFlags {
  profile?: string;
  siteUrl?: string;
  apiKey?: string;
  /** Whether to print each request on standard error. */
  verbose?: boolean;
}

type Env = Record<string, string | undefined>;

export const defaultSiteUrl = 'http://127.0.0.1:3000';
export const settingsFileName = 'config.json';

/** Returns the folder of the settings file: `UPTIME_CONFIG_DIR`, or the usual folder of the platform. */
export function settingsDir(env: Env): string {
  if (env['UPTIME_CONFIG_DIR']) return env['UPTIME_CONFIG_DIR'];
  const home = homeOf(env);
  if (platform() === 'darwin') return join(home, 'Library', 'Preferences', 'uptime');
  if (platform() === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'uptime', 'Config');
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'uptime');
}

function homeOf(env: Env): string {
  if (env['HOME']) return env['HOME'];
  try {
    return homedir();
  } catch {
    // The system does not know the home folder of the user, as in many containers. If the program has to store settings
    // later, it fails with a message.
    return '/';
  }
}

/** Returns the value of every setting. Throws a CliError if the site address or the settings file cannot be used. */
export function resolveSettings(env: Env, flags: SettingFlags): Settings {
  const path = join(settingsDir(env), settingsFileName);
  const file = readSettings(path);
  const profile =
    settingOf(flags.profile, '--profile') ??
    settingOf(env['UPTIME_PROFILE'], 'UPTIME_PROFILE') ??
    settingOf(file.current, path) ??
    ({ value: 'default', from: 'default' } as const);
  const storedProfile = file.profiles?.[profile.value];
  const stored = storedProfile ?? {};
  const inFile = `${path}, profile ${profile.value}`;

  const storedSite = settingOf(stored.siteUrl, inFile);
  const siteUrl = settingOf(flags.siteUrl, '--site-url') ??
    settingOf(env['UPTIME_SITE_URL'], 'UPTIME_SITE_URL') ??
    storedSite ?? { value: defaultSiteUrl, from: 'default' };
  const site = { value: siteAddress(siteUrl), from: siteUrl.from };

  const handed = settingOf(flags.apiKey, '--api-key') ?? settingOf(env['UPTIME_API_KEY'], 'UPTIME_API_KEY');
  // A stored key is only sent to the server for which it was stored.
  const home = siteAddress(storedSite ?? { value: defaultSiteUrl, from: 'default' });
  const foreign = home !== site.value;
  const withheld = (what: string, kept: string | undefined) =>
    foreign && kept !== undefined
      ? `the ${what} of profile ${profile.value} belongs to ${home}, not to ${site.value} (from ${site.from})`
      : null;
  const own = (kept: string | undefined) => (foreign ? null : settingOf(kept, inFile));
  return {
    path,
    profile,
    siteUrl: site,
    apiKey: handed ?? own(stored.apiKey),
    session: own(stored.session),
    profileMissing: storedProfile || ['default', path].includes(profile.from) ? null : missing(profile, file),
    keyWithheld: handed ? null : withheld('key', stored.apiKey),
    sessionWithheld: withheld('session', stored.session),
  };
}

/** Reads the settings file. Returns empty settings if the file does not exist. */
export function readSettings(path: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A service often has no real home folder, only a path such as /nonexistent or /dev/null. Then there are no
    // settings.
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new CliError(`the settings file ${path} cannot be read (${code ?? message})`, {
      next: 'set UPTIME_CONFIG_DIR to a readable folder',
      cause: error,
    });
  }
  try {
    return JSON.parse(text) as SettingsFile;
  } catch (error) {
    throw new CliError(`the settings file ${path} is not JSON`, {
      next: 'remove the file, then type `uptime login` again',
      cause: error,
    });
  }
}

function missing({ value, from }: Setting<string>, { profiles = {} }: SettingsFile): string {
  const names = Object.keys(profiles).join(', ');
  return `there is no profile ${value} (from ${from})${names && `; the profiles are ${names}`}`;
}

const settingOf = (value: string | undefined, from: string): Setting<string> | null => (value ? { value, from } : null);

function siteAddress({ value, from }: Setting<string>): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new CliError(
      `the site address from ${from} must be an http:// or https:// address, without user, query or fragment`,
      { exit: 'usage' },
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
