import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Ended } from '../exit.ts';
import type { SettingFlags } from '../settings.ts';

/** What a command is made of: its words, how its options are read, and what it does. */
export interface CommandSpec<O> {
  /** Its words, such as `monitors list`. */
  path: string;
  /** Other words for the same command. */
  aliases?: readonly string[];
  summary: string;
  /** Two command lines that run, without the leading `uptime`. */
  examples: readonly [string, string];
  /** Declares arguments and flags. */
  define?(command: Command): void;
  /** Reads what was typed into options; throws a CliError for what commander can't refuse. Does nothing else. */
  parse(args: readonly (string | undefined)[], flags: RawFlags): O;
  /** Does it, and answers how it ended. */
  run(options: O, context: Context): Promise<Ended>;
}

/** Flags as commander hands them over. */
export type RawFlags = Record<string, unknown>;

/** A command with its options' type closed in. */
export interface CliCommand extends Pick<CommandSpec<unknown>, 'path' | 'aliases' | 'summary' | 'examples' | 'define'> {
  execute(args: readonly (string | undefined)[], flags: RawFlags, context: Context): Promise<Ended>;
}

/** Closes a command: `execute` parses, then runs. */
export const command = <O>(spec: CommandSpec<O>): CliCommand => ({
  ...spec,
  execute: async (args, flags, context) => spec.run(spec.parse(args, flags), context),
});

/** The flags that choose server and project, which every command takes. */
export const settingFlags = (flags: RawFlags): SettingFlags => ({
  profile: textFlag(flags, 'profile'),
  siteUrl: textFlag(flags, 'siteUrl'),
  apiKey: textFlag(flags, 'apiKey'),
  verbose: isSet(flags, 'verbose'),
});

export const textFlag = (flags: RawFlags, name: string): string | undefined =>
  typeof flags[name] === 'string' ? flags[name] : undefined;

export const isSet = (flags: RawFlags, name: string): boolean => flags[name] === true;

export const listFlag = (flags: RawFlags, name: string): string[] =>
  Array.isArray(flags[name]) ? flags[name].map(String) : [];

/** For commander: gathers the entries of a flag that takes several, with commas between. */
export const listed = (text: string, previous: string[] | undefined): string[] => [
  ...(previous ?? []),
  ...text.split(',').filter(Boolean),
];

/** For commander: gathers a flag that may be given several times. */
export const repeated = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];
