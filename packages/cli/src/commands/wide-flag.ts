import type { Command } from 'commander';
import { isSet, type RawFlags } from './command.ts';

/** Declares `--wide`, which shows a list's ids and all of its long texts on a terminal. */
export const wideFlag = (command: Command): Command =>
  command.option('--wide', 'on a terminal: show ids and every column, and cut nothing');

export const isWide = (flags: RawFlags): boolean => isSet(flags, 'wide');
