import type { Command } from 'commander';
import { listFlag, type RawFlags, repeated } from './command.ts';

/** Declares `-f`, which names manifests and may be repeated. */
export const fileFlag = (command: Command): Command =>
  command.requiredOption('-f, --file <path>', 'manifest: a file, a folder of *.yaml, or - ; may be repeated', repeated);

export const readFiles = (flags: RawFlags): string[] => listFlag(flags, 'file');
