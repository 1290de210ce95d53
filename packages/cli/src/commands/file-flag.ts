import type { Command } from 'commander';
import { defaultManifest } from '../manifest/load.ts';
import { listFlag, type RawFlags, repeated } from '../flags/raw-flags.ts';

/** Declares `-f`, which names manifests and may be repeated. */
export const fileFlag = (command: Command): Command =>
  command.option(
    '-f, --file <path>',
    `manifest: a file, a folder of *.yaml, or - for standard input; may be repeated (default: ${defaultManifest})`,
    repeated,
  );

export function readFiles(flags: RawFlags): string[] {
  const given = listFlag(flags, 'file');
  return given.length > 0 ? given : [defaultManifest];
}
