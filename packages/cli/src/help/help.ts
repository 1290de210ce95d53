import type { Command } from 'commander';
import { CliError } from '../exit.ts';
import type { Io } from '../io.ts';
import { plain } from '../output.ts';
import { topics } from './topics.ts';

/** Prints the help on a topic or a command. Throws a CliError if the words name neither. */
export async function help(words: readonly string[], program: Command, io: Io): Promise<void> {
  const topic = words.length === 1 ? topics[words[0]!] : undefined;
  if (topic) return io.print(io.named(await topic()));
  let at = program;
  for (const word of words) {
    const found = at.commands.find((command) => command.name() === word);
    if (!found) throw await unknown(word, at, at === program ? Object.keys(topics) : []);
    at = found;
  }
  at.outputHelp();
}

async function unknown(word: string, at: Command, more: readonly string[]): Promise<CliError> {
  const { nearest } = await import('@uptime/sdk/contract');
  const known = [...at.commands.map((command) => command.name()), ...more];
  const meant = nearest(word, known);
  return new CliError(`there is no help on ${JSON.stringify(plain(word))}`, {
    exit: 'usage',
    next: meant ? `did you mean \`${meant}\`?` : `there is help on ${known.join(', ')}`,
  });
}
