import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';

/** Declares `--yes`, for commands that ask before they change something. */
export const yesFlag = (command: Command): Command => command.option('-y, --yes', 'do not ask');

export interface Question {
  /** The question that a terminal shows. It begins with a capital and ends in a question mark. */
  message: string;
  yes: boolean;
  /** Advice in the error of a run without a terminal. */
  next: string;
  /** Whether standard input carries data, so that the user cannot answer a question there. */
  taken?: boolean;
}

/** Asks on a terminal; elsewhere, requires `--yes`. Throws a CliError if the answer is not yes. */
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
