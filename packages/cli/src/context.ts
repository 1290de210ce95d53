import type { RequestEvent, Uptime } from '@uptime/sdk';
import { CliError } from './exit.ts';
import { createIo, type Io, type ProgramName, type Streams } from './io.ts';
import { plain } from './output.ts';
import { resolveSettings, type SettingFlags, type Settings } from './settings.ts';

/** Looks up processes of this machine by their process ids. */
export interface Processes {
  /** The id of this process. */
  own: number;
  isRunning: (pid: number) => boolean;
}

/** Everything that a command may use. Commands use this instead of the global `process`. */
export interface Context {
  io: Io;
  env: Record<string, string | undefined>;
  /** The working folder; relative paths start here. */
  cwd: string;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  fetch: typeof fetch | undefined;
  /** The name under which the program was started. */
  program: ProgramName;
  /** How long a ping waits before it is sent, because the server asked for a wait. */
  pingAfterMs: number;
  /**
   * Returns a function for a client's `onRequest`. The function prints each request on standard error. Returns
   * undefined without `--verbose`.
   */
  tracer: (flags: SettingFlags) => ((event: RequestEvent) => void) | undefined;
  /** The settings from the command's flags, the environment and the settings file. */
  settings: (flags: SettingFlags) => Settings;
  /** Creates a client for the key's project. Throws a CliError if there is no key. */
  connect: (flags: SettingFlags) => Promise<Uptime>;
  /** Creates a client for the account. Throws a CliError if there is no session. */
  connectAccount: (flags: SettingFlags) => Promise<Uptime>;
  /**
   * Passes the process's signals to a listener. While the listener is set, a signal does not end the run. The returned
   * function removes the listener.
   */
  onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
  processes: Processes;
}

export interface ContextOptions extends Streams {
  env: Record<string, string | undefined>;
  cwd: string;
  signal?: AbortSignal;
  onSignal?: Context['onSignal'];
  fetch?: typeof fetch;
  program?: ProgramName;
  pingAfterMs?: number;
  processes?: Processes;
}

/** Creates the context of one run. The caller gives the streams and the environment. */
export function createContext(options: ContextOptions): Context {
  const { env, cwd, program = 'uptime', pingAfterMs = 0 } = options;
  const settings = (flags: SettingFlags) => resolveSettings(env, flags);
  const io = createIo(options, env, program);
  const tracer: Context['tracer'] = ({ verbose }) =>
    verbose ? (event) => io.say(io.err.dim(formatRequest(event))) : undefined;
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
            ? 'type `uptime projects use <project>` to store the key of one of your projects'
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
        throw new CliError(
          profileMissing ?? sessionWithheld ?? 'this command needs an account, and you are not logged in',
          {
            exit: 'unauthorised',
            next: 'type `uptime login --email <address>`',
          },
        );
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
    processes: options.processes ?? { own: 0, isRunning: () => false },
  };
}

/** Formats a request as one line. The SDK leaves credentials and ping tokens out of the path. */
const formatRequest = ({ method, path, attempt, status, duration, requestId }: RequestEvent): string =>
  plain(
    `${method} ${path}${attempt > 1 ? ` (attempt ${attempt})` : ''}: ${status ?? 'no answer'} in ${Math.round(duration)} ms` +
      (requestId ? `, request ${requestId}` : ''),
  );
