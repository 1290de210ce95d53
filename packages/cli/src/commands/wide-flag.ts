import type { Command } from 'commander';
import { isSet, type RawFlags } from './command.ts';

/** Declares `--wide`, with which a list on a terminal shows ids and whole texts. */
export const wideFlag = (command: Command): Command =>
  command.option('--wide', 'on a terminal, show ids, every column and whole texts');

export const isWide = (flags: RawFlags): boolean => isSet(flags, 'wide');
