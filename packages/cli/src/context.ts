import type { Uptime } from '@uptime/sdk';
import { CliError } from './exit.ts';
import { createIo, type Io, type Streams } from './io.ts';
import { resolveSettings, type SettingFlags, type Settings } from './settings.ts';

/** Everything a command may touch. Nothing below this reads the process. */
export interface Context {
  io: Io;
  env: Record<string, string | undefined>;
  /** Folder that relative paths start from. */
  cwd: string;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  fetch: typeof fetch | undefined;
  /** The settings in force, from the command's flags, the environment and the file. */
  settings: (flags: SettingFlags) => Settings;
  /** A client of the project that the key names; throws a CliError without a key. */
  connect: (flags: SettingFlags) => Promise<Uptime>;
}

export interface ContextOptions extends Streams {
  env: Record<string, string | undefined>;
  cwd: string;
  signal?: AbortSignal;
  fetch?: typeof fetch;
}

/** Makes the context of one run; streams and environment are the caller's. */
export function createContext(options: ContextOptions): Context {
  const { env, cwd } = options;
  const settings = (flags: SettingFlags) => resolveSettings(env, flags);
  return {
    io: createIo(options, env),
    env,
    cwd,
    signal: options.signal ?? new AbortController().signal,
    fetch: options.fetch,
    settings,
    async connect(flags) {
      const { apiKey, siteUrl, keyWithheld } = settings(flags);
      if (!apiKey) {
        throw new CliError(keyWithheld ?? 'no API key is set', {
          exit: 'unauthorised',
          next: 'type `uptime login --api-key <key>`, or set UPTIME_API_KEY',
        });
      }
      const { Uptime } = await import('@uptime/sdk');
      return new Uptime({ apiKey: apiKey.value, siteUrl: siteUrl.value, fetch: options.fetch });
    },
  };
}
