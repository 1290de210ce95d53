import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { plain } from '../output.ts';
import { candidatesFor } from './candidates.ts';
import { readNames } from './read-names.ts';

/**
 * Prints what can follow the words of a command line, one candidate in each line. The scripts of `uptime completion` call
 * it. The line `:files` asks the shell to complete paths.
 */
export async function complete(words: readonly string[], program: Command, context: Context): Promise<void> {
  const found = candidatesFor(program, words);
  if (found.kind === 'files') return context.io.print(':files');
  const typed = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
  const done = found.kind === 'names' && found.listed ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const names = found.kind === 'words' ? found.words : await readNames(found.of, context);
  const fitting = names
    // A name with a control character cannot be typed.
    .filter((name) => name !== '' && plain(name) === name && !name.startsWith(':'))
    .map((name) => done + name)
    .filter((name) => name.startsWith(typed));
  if (fitting.length > 0) context.io.print([...new Set(fitting)].join('\n'));
}
