import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { plain } from '../output.ts';
import { type Candidates, candidatesFor } from './candidates.ts';
import { readNames, readProfileNames } from './read-names.ts';

/**
 * Prints the candidates for the last word of a command line, one on each line. The scripts of `uptime completion` read
 * them. The line `:files` tells the shell to complete paths.
 */
export async function complete(words: readonly string[], program: Command, context: Context): Promise<void> {
  const found = candidatesFor(program, words);
  if (found.kind === 'files') return context.io.print(':files');
  const word = words.at(-1) ?? '';
  const typed = word.slice(found.lead?.length ?? 0);
  const fitting = (await wordsOf(found, typed, context))
    // A name with a control character is left out, because no one can type it.
    .filter((name) => name !== '' && plain(name) === name && !name.startsWith(':'))
    .filter((name) => name.startsWith(typed))
    .map((name) => (found.lead ?? '') + name);
  if (fitting.length > 0) context.io.print([...new Set(fitting)].join('\n'));
}

async function wordsOf(found: Candidates, typed: string, context: Context): Promise<readonly string[]> {
  if (found.kind === 'words') return found.words;
  if (found.kind === 'profiles') return readProfileNames(context.env);
  if (found.kind === 'files') return [];
  const done = found.listed ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const names = await readNames(found.of, context);
  // If nothing is typed yet, each resource is offered as only one word, such as its key.
  const offered = names.flatMap((all) => (typed === done ? all.slice(0, 1) : all));
  return offered.filter((name) => !found.listed || !name.includes(',')).map((name) => done + name);
}
