import type { Command } from 'commander';
import { CliError } from '../exit.ts';
import { type RawFlags, textFlag } from './raw-flags.ts';

/** The first and the last UTC date of a range. Both days belong to the range. */
export interface Range {
  from?: string;
  to?: string;
}

/** Declares `--from` and `--to`. */
export const rangeFlags = (command: Command, fallback: string): Command =>
  command
    .option('--from <date>', `first UTC day, YYYY-MM-DD (default: ${fallback})`)
    .option('--to <date>', 'last UTC day, inclusive (default: today)');

/** Reads `--from` and `--to`. Throws a CliError for an invalid date. */
export const readRange = (flags: RawFlags): Range => ({
  ...dateOf('from', textFlag(flags, 'from')),
  ...dateOf('to', textFlag(flags, 'to')),
});

function dateOf(flag: 'from' | 'to', text: string | undefined): Range {
  if (text === undefined) return {};
  const real = /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);
  if (real) return { [flag]: text };
  throw new CliError(`--${flag} must be a calendar date, such as 2026-01-31`, { exit: 'usage' });
}
