import type { Command } from 'commander';
import { type CliCommand, command } from '../command.ts';
import { connect, type Connection } from '../connection.ts';
import type { Ended } from '../exit.ts';
import { readShown, type Shown, shownFlags } from '../flags/output-flags.ts';
import { type RawFlags, settingFlags } from '../flags/raw-flags.ts';
import type { Help, Noun } from '../nouns/noun.ts';
import type { SettingFlags } from '../settings.ts';

/** A command about one resource. `O` is the type of the options from its own flags. */
export interface OnOne<T, O> extends Help {
  verb: string;
  /** Declares flags and additional arguments. */
  flags?: (command: Command) => void;
  /** Reads the flags and arguments that `flags` declared. Throws a CliError if a value is wrong. */
  read?: (flags: RawFlags, args: readonly (string | undefined)[]) => O;
  /** Throws a CliError for wrong options. It is called before the command needs a key. */
  check?: (options: O) => Promise<void>;
  /**
   * Declares the flags for the form of the output. Default: `--output`, `--quiet`, and the flags that the noun adds.
   */
  output?: (command: Command) => void;
  /** Does the work of the command with the resource that was found. May return how the command ended. */
  run: (resource: T, options: Shown & O, connection: Connection) => Promise<Ended | void>;
}

/** Returns a command that finds one resource of a noun by its argument, and then runs with that resource. */
export const onOne = <T extends { id: string }, O extends object = object>(
  noun: Omit<Noun<T>, 'calls'>,
  { verb, summary, examples, flags: declare, read, check, output, run }: OnOne<T, O>,
): CliCommand =>
  command<{ settings: SettingFlags; word: string; options: Shown & O }>({
    path: `${noun.word} ${verb}`,
    summary,
    examples,
    define(command) {
      const [name, about] = noun.argument;
      command.argument(`<${name}>`, about);
      declare?.(command);
      if (output) return output(command);
      shownFlags(command);
      noun.showFlags?.(command);
    },
    parse: ([word = '', ...args], flags) => ({
      settings: settingFlags(flags),
      word,
      options: { ...readShown(flags), ...(read?.(flags, args) as O) },
    }),

    async run({ settings, word, options }, context) {
      await check?.(options);
      const connection = await connect(settings, context, noun);
      return (await run(await noun.find(word, connection), options, connection)) ?? 'ok';
    },
  });
