import type { RequestEvent, Uptime } from '@uptime/sdk';
import { CliError } from './exit.ts';
import { createIo, type Io, type ProgramName, type Streams } from './io.ts';
import { plain } from './output.ts';
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
  /** The name that the program was called by. */
  program: ProgramName;
  /** Milliseconds that a ping waits before it is sent: a server has asked for them already. */
  pingAfterMs: number;
  /** For a client's `onRequest`: tells each request on standard error, where `--verbose` asks for it. */
  tracer: (flags: SettingFlags) => ((event: RequestEvent) => void) | undefined;
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
  program?: ProgramName;
  pingAfterMs?: number;
}

/** Makes the context of one run; streams and environment are the caller's. */
export function createContext(options: ContextOptions): Context {
  const { env, cwd, program = 'uptime', pingAfterMs = 0 } = options;
  const settings = (flags: SettingFlags) => resolveSettings(env, flags);
  const io = createIo(options, env, program);
  const tracer: Context['tracer'] = ({ verbose }) => (verbose ? (event) => io.say(io.err.dim(told(event))) : undefined);
  return {
    io,
    tracer,
    env,
    cwd,
    program,
    pingAfterMs,
    signal: options.signal ?? new AbortController().signal,
    fetch: options.fetch,
    settings,
    async connect(flags) {
      const { apiKey, siteUrl, session, keyWithheld, profileMissing } = settings(flags);
      if (!apiKey) {
        throw new CliError(profileMissing ?? keyWithheld ?? 'no API key is set', {
          exit: 'unauthorised',
          next: session
            ? 'type `uptime projects use <project>`: it stores the key of one of your projects'
            : 'type `uptime login --api-key <key>`, or set UPTIME_API_KEY',
        });
      }
      const { Uptime } = await import('@uptime/sdk');
      return new Uptime({
        apiKey: apiKey.value,
        siteUrl: siteUrl.value,
        fetch: options.fetch,
        onRequest: tracer(flags),
      });
    },
    async connectAccount(flags) {
      const { session, siteUrl, sessionWithheld, profileMissing } = settings(flags);
      if (!session) {
        throw new CliError(profileMissing ?? sessionWithheld ?? 'this needs an account, and nobody is logged in', {
          exit: 'unauthorised',
          next: 'type `uptime login --email <address>`',
        });
      }
      const { Uptime } = await import('@uptime/sdk');
      return new Uptime({
        session: session.value,
        apiKey: null,
        siteUrl: siteUrl.value,
        fetch: options.fetch,
        onRequest: tracer(flags),
      });
    },
    onSignal: options.onSignal ?? (() => () => undefined),
  };
}

/** A request in a line; the SDK leaves credentials and ping tokens out of its path. */
const told = ({ method, path, attempt, status, duration, requestId }: RequestEvent): string =>
  plain(
    `${method} ${path}${attempt > 1 ? ` (attempt ${attempt})` : ''}: ${status ?? 'no answer'} in ${Math.round(duration)} ms` +
      (requestId ? `, request ${requestId}` : ''),
  );
