import { type Command, Option } from 'commander';
import { type Format, formats } from '../output.ts';
import { isSet, type RawFlags } from './raw-flags.ts';

/** How a resource is printed. */
export interface Shown {
  format: Format;
  quiet: boolean;
  /** Whether a project's key is shown whole. */
  showKey?: boolean;
}

/** Declares `-o table|json|yaml` and its short form `--json`. */
export function formatFlag(command: Command): void {
  command
    .addOption(new Option('-o, --output <format>', 'how to print the result').choices(formats).default('table'))
    .addOption(new Option('--json', 'the same as -o json'));
}

/** Declares the flags of {@link formatFlag}, and `--quiet`, which prints only ids. */
export function shownFlags(command: Command): void {
  formatFlag(command);
  command.option('-q, --quiet', 'print only ids');
}

export const readFormat = (flags: RawFlags): Format =>
  flags['json'] === true ? 'json' : (formats.find((format) => format === flags['output']) ?? 'table');

export const readShown = (flags: RawFlags): Shown => ({
  format: readFormat(flags),
  quiet: isSet(flags, 'quiet'),
  showKey: isSet(flags, 'showKey'),
});

/** Declares `--wide`, with which a list on a terminal shows ids and whole texts. */
export const wideFlag = (command: Command): Command =>
  command.option('--wide', 'on a terminal, show ids, every column and whole texts');

export const isWide = (flags: RawFlags): boolean => isSet(flags, 'wide');
