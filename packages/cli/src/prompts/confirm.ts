import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';

/** Declares `--yes`, for commands that ask before they act. */
export const yesFlag = (command: Command): Command => command.option('-y, --yes', 'do not ask');

export interface Question {
  /** Asked on a terminal; begins with a capital and ends in a question mark. */
  message: string;
  yes: boolean;
  /** Advice for runs without a terminal; shown in the error. */
  next: string;
  /** Whether standard input holds data, so that no question can be asked. */
  taken?: boolean;
}

/** Asks on a terminal; requires `--yes` elsewhere. Throws a CliError unless the answer is yes. */
export async function confirm(
  { message, yes, next, taken }: Question,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
): Promise<void> {
  if (yes) return;
  if (!io.interactive || taken) {
    throw new CliError('there is no terminal to ask on; nothing was changed', { exit: 'usage', next });
  }
  const { confirm: ask } = await import('@inquirer/prompts');
  const answer = await ask({ message, default: false }, { input: io.stdin, output: io.stderr, signal });
  if (!answer) throw new CliError('not confirmed; nothing was changed');
}
