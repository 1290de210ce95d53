import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { readAll } from '../io.ts';

export interface Secret {
  /** The value on the command line; `-` means standard input. */
  given: string | undefined;
  question: string;
  /** The name of the secret in messages. */
  what: string;
}

/** Reads a secret from the command line, standard input or a hidden prompt. Throws a CliError if it is missing. */
export async function readSecret(
  { given, question, what }: Secret,
  { io, signal }: Pick<Context, 'io' | 'signal'>,
): Promise<string> {
  // The secret keeps its spaces, because a password may begin or end with them.
  if (given === '-') {
    const read = await readAll(io.stdin);
    if (read.trim() === '') throw new CliError(`no ${what} was read from standard input`, { exit: 'usage' });
    return read;
  }
  if (given) return given;
  if (!io.interactive) {
    throw new CliError(`no ${what} was given, and there is no terminal to ask on`, {
      exit: 'usage',
      next: `add --${what} - to read it from standard input`,
    });
  }
  const { password } = await import('@inquirer/prompts');
  return password(
    { message: question, mask: true, validate: (text) => text.trim() !== '' },
    { input: io.stdin, output: io.stderr, signal },
  );
}
