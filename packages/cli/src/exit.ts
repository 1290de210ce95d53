/** The exit codes. `uptime help exit-codes` prints their meanings. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  unauthorised: 4,
  stale: 5,
  timedOut: 6,
  gone: 7,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];
/**
 * How a run ended: the name of an exit code, or the exit code of the program that `uptime exec` or `maintenance run`
 * ran.
 */
export type Ended = ExitName | number;

export const exitMeanings: Record<ExitName, string> = {
  ok: 'done, or nothing to do',
  failed: 'failed; nothing was changed',
  usage: 'wrong usage, or a faulty manifest; with --detailed-exitcode or --exit-code, also if something changes',
  partial: 'partly applied: a change failed, but some changes were made or may have been made',
  unauthorised: 'not logged in, or the credential does not allow this',
  stale: 'PLAN_STALE: the manifest or the server has changed since the plan was made, so nothing was applied',
  timedOut: 'monitors wait: the status was not reached in time',
  gone: 'monitors wait: a monitor was deleted or paused meanwhile',
  interrupted: 'stopped by Ctrl-C or a signal',
};

/** A failure with a message, an exit code, and advice about the next step. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exit: ExitName;
  /** Advice: the next command, or the next step. */
  readonly next: string | undefined;

  constructor(message: string, options: { exit?: ExitName; next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exit = options.exit ?? 'failed';
    this.next = options.next;
  }
}
