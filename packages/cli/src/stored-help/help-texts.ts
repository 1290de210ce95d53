import type { Command } from 'commander';
import { Readable, Writable } from 'node:stream';
import { commands } from '../commands/index.ts';
import { createContext } from '../context.ts';
import { createProgram } from '../program.ts';

/**
 * Returns the help texts of the program, of each group and of each command, as printed in a pipe. The keys are the
 * words of the commands; the key of the program itself is empty. The build stores these texts, so that `--help` need
 * not load the commands.
 */
export function helpTexts(): Record<string, string> {
  let text = '';
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const context = createContext({ stdin: Readable.from([]), stdout, stderr: stdout, env: {}, cwd: '/' });
  const texts: Record<string, string> = {};
  const add = (command: Command, words: readonly string[]) => {
    text = '';
    command.outputHelp();
    texts[words.join(' ')] = text;
    for (const inner of command.commands) add(inner, [...words, inner.name()]);
  };
  add(
    createProgram(commands, context, () => undefined),
    [],
  );
  return texts;
}
