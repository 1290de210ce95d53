import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { Ended } from './exit.ts';
import type { RawFlags } from './flags/raw-flags.ts';

/** The definition of a command. */
export interface CommandSpec<O> {
  /** The words of the command, such as `monitors list`. */
  path: string;
  /** Other names of this command. */
  aliases?: readonly string[];
  summary: string;
  /** Two working command lines, without the leading `uptime`. */
  examples: readonly [string, string];
  /** Declares arguments and flags. */
  define?(command: Command): void;
  /** Converts arguments and flags to options. Throws a CliError for input that is wrong although commander accepts it. */
  parse(args: readonly (string | undefined)[], flags: RawFlags): O;
  /** Runs the command. Returns whether it succeeded, or how it failed. */
  run(options: O, context: Context): Promise<Ended>;
}

/** A command as the registry stores it, without the type of its options. */
export interface CliCommand extends Pick<CommandSpec<unknown>, 'path' | 'aliases' | 'summary' | 'examples' | 'define'> {
  execute(args: readonly (string | undefined)[], flags: RawFlags, context: Context): Promise<Ended>;
}

/** Creates a command. Its `execute` parses the options, and then runs the command. */
export const command = <O>(spec: CommandSpec<O>): CliCommand => ({
  ...spec,
  execute: async (args, flags, context) => spec.run(spec.parse(args, flags), context),
});
