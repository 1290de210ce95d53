import type { Context } from './context.ts';
import { CliError, type ExitName } from './exit.ts';
import { plain } from './output.ts';

/** Prints a failure on standard error, with advice. Returns how the run ended. */
export async function report(error: unknown, context: Context, verbose: boolean): Promise<ExitName> {
  const { io } = context;
  const explanation = await explain(error, context);
  if (explanation.message) io.say(`${io.err.red('error:')} ${explanation.message}`);
  if (explanation.next) io.say(`  ${explanation.next}`);
  if (verbose && error instanceof Error && !(error instanceof CliError)) io.say(io.err.dim(error.stack ?? ''));
  return explanation.exit;
}

interface Explanation {
  message: string;
  next?: string | undefined;
  exit: ExitName;
}

/**
 * Returns the message, the advice and the exit code for an error of the CLI, the server or the network, or for an
 * interruption.
 */
export async function explain(error: unknown, context: Pick<Context, 'signal'>): Promise<Explanation> {
  if (error instanceof CliError) return { message: error.message, next: error.next, exit: error.exit };
  if (context.signal.aborted) return { message: 'interrupted', exit: 'interrupted' };
  // The user left a prompt with Ctrl-C.
  if (error instanceof Error && error.name === 'ExitPromptError')
    return { message: 'interrupted', exit: 'interrupted' };

  const sdk = await import('@uptime/sdk');
  if (error instanceof sdk.UnauthenticatedError) {
    const next = 'type `uptime login --api-key <key>`; for projects, `uptime login --email <address>`';
    return { message: describeError(error), next, exit: 'unauthorised' };
  }
  if (error instanceof sdk.ForbiddenError) {
    return { message: describeError(error), next: '`uptime whoami` shows which key is in use', exit: 'unauthorised' };
  }
  if (error instanceof sdk.ApiError) {
    // `detail` lists every fault of `errors`, so the message needs only `detail`.
    return { message: describeError(error), exit: 'failed' };
  }
  if (error instanceof sdk.UptimeError) {
    return {
      message: plain(error.message),
      next: '`uptime whoami` shows which server is in use, and why',
      exit: 'failed',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message: `unexpected: ${plain(message)}`, next: 'add --verbose to see where it happened', exit: 'failed' };
}

const describeError = (error: {
  status: number;
  detail?: string;
  message: string;
  requestId?: string | null;
}): string =>
  `${plain(error.detail || error.message)} (HTTP ${error.status}${error.requestId ? `, request ${plain(error.requestId)}` : ''})`;
