/** What each exit code means; `uptime help exit-codes` prints these sentences. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  unauthorised: 4,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];
/** How a run ended: by name, or with the exit code of the program that `uptime exec` or `maintenance run` ran. */
export type Ended = ExitName | number;

export const exitMeanings: Record<ExitName, string> = {
  ok: 'done, or nothing to do',
  failed: 'it failed, and nothing was changed',
  usage: 'wrong usage, or a manifest with faults; with --detailed-exitcode also: there are changes',
  partial: 'partly applied: some changes were made, or may have been made, before one failed',
  unauthorised: 'not logged in, or the key may not do this',
  interrupted: 'stopped by Ctrl-C or a signal',
};

/** A failure told in one sentence, with the exit code it ends in and the command that helps. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exit: ExitName;
  /** What to type or to mend next. */
  readonly next: string | undefined;

  constructor(message: string, options: { exit?: ExitName; next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exit = options.exit ?? 'failed';
    this.next = options.next;
  }
}
