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
  /** A client of the account that logged in; throws a CliError without a session. */
  connectAccount: (flags: SettingFlags) => Promise<Uptime>;
  /**
   * Hands the process's signals to a listener in place of ending the run, until the answered function is called.
   */
  onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
}

export interface ContextOptions extends Streams {
  env: Record<string, string | undefined>;
  cwd: string;
  signal?: AbortSignal;
  onSignal?: Context['onSignal'];
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
      const { apiKey, siteUrl, session, keyWithheld } = settings(flags);
      if (!apiKey) {
        throw new CliError(keyWithheld ?? 'no API key is set', {
          exit: 'unauthorised',
          next: session
            ? 'type `uptime projects use <project>`: it stores the key of one of your projects'
            : 'type `uptime login --api-key <key>`, or set UPTIME_API_KEY',
        });
      }
      const { Uptime } = await import('@uptime/sdk');
      return new Uptime({ apiKey: apiKey.value, siteUrl: siteUrl.value, fetch: options.fetch });
    },
    async connectAccount(flags) {
      const { session, siteUrl, sessionWithheld } = settings(flags);
      if (!session) {
        throw new CliError(sessionWithheld ?? 'this needs an account, and nobody is logged in', {
          exit: 'unauthorised',
          next: 'type `uptime login --email <address>`',
        });
      }
      const { Uptime } = await import('@uptime/sdk');
      return new Uptime({ session: session.value, apiKey: null, siteUrl: siteUrl.value, fetch: options.fetch });
    },
    onSignal: options.onSignal ?? (() => () => undefined),
  };
}
