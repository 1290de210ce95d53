import { type Command, Option } from 'commander';
import { type Format, formats } from '../output.ts';
import { isSet, type RawFlags } from './raw-flags.ts';

/** How a resource is printed. */
export interface Shown {
  format: Format;
  quiet: boolean;
  /** Whether the API key of a project is printed in full; otherwise it is masked. */
  showKey?: boolean;
}

/** Declares `-o table|json|yaml` and its short form `--json`. */
export function formatFlag(command: Command): void {
  command
    .addOption(new Option('-o, --output <format>', 'how to print the result').choices(formats).default('table'))
    .addOption(new Option('--json', 'the same as -o json'));
}

/** Declares the flags of {@link formatFlag}, and `--quiet`. With `--quiet`, a command prints only ids. */
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

/** Declares `--wide`. With `--wide`, a list on a terminal shows ids, every column and whole texts. */
export const wideFlag = (command: Command): Command =>
  command.option('--wide', 'on a terminal, show ids, every column and whole texts');

export const isWide = (flags: RawFlags): boolean => isSet(flags, 'wide');
