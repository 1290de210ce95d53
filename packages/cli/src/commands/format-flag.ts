import { type Command, Option } from 'commander';
import { type Format, formats } from '../output.ts';
import type { RawFlags } from './command.ts';

/** Declares `-o table|json|yaml` and its short form `--json`. */
export function formatFlag(command: Command): void {
  command
    .addOption(new Option('-o, --output <format>', 'how to print the result').choices(formats).default('table'))
    .addOption(new Option('--json', 'the same as -o json'));
}

/** Declares the flags of {@link formatFlag}, and `--quiet`, which prints only ids. */
export function quietFormatFlag(command: Command): void {
  formatFlag(command);
  command.option('-q, --quiet', 'print only ids');
}

export const readFormat = (flags: RawFlags): Format =>
  flags['json'] === true ? 'json' : (formats.find((format) => format === flags['output']) ?? 'table');
