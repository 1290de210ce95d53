import type { Command } from 'commander';
import { CliError } from '../exit.ts';
import { isSet, listFlag, type RawFlags, repeated, textFlag } from '../flags/raw-flags.ts';
import { defaultManifest } from '../manifest/load.ts';
import type { ManifestChoice } from '../manifest/manifest-choice.ts';

/** Declares `-f`, which names manifests and may be repeated, and the flags that say how to read the manifests. */
export const fileFlag = (command: Command): Command =>
  command
    .option(
      '-f, --file <path>',
      `manifest: a file, a folder of *.yaml, or - for standard input; may be repeated (default: ${defaultManifest})`,
      repeated,
    )
    .option('--env <name>', 'environment whose `overrides` apply, such as production')
    .option('--allow-outside', "let the manifest include files outside of the project's folder");

export function readManifestChoice(flags: RawFlags): ManifestChoice {
  const given = listFlag(flags, 'file');
  const environment = textFlag(flags, 'env') ?? null;
  if (environment === '') {
    throw new CliError('--env is empty: is a variable not set?', {
      exit: 'usage',
      next: 'name an environment, or leave --env out',
    });
  }
  return {
    files: given.length > 0 ? given : [defaultManifest],
    environment,
    allowOutside: isSet(flags, 'allowOutside'),
  };
}
