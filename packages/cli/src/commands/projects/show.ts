import type { Project } from '@uptime/sdk';
import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { type Format, output, pairs } from '../../output.ts';
import { maskKey } from '../../secrets.ts';
import { isSet, type RawFlags } from '../../flags/raw-flags.ts';
import { readFormat, shownFlags as outputFlags } from '../../flags/output-flags.ts';

/** How a project is printed. */
export interface Shown {
  format: Format;
  quiet: boolean;
  showKey: boolean;
}

/** Declares how a project is printed; its key is masked unless asked for. */
export function shownFlags(command: Command): void {
  outputFlags(command);
  command.option('--show-key', 'print the whole API key');
}

export const readShown = (flags: RawFlags): Shown => ({
  format: readFormat(flags),
  quiet: isSet(flags, 'quiet'),
  showKey: isSet(flags, 'showKey'),
});

/** Prints one project. */
export async function showProject(io: Io, project: Project, { format, quiet, showKey }: Shown): Promise<void> {
  if (quiet) return io.print(project.id);
  const data = showKey ? project : withoutKey(project);
  await output(io, format, data, () => pairs(Object.entries(data)));
}

/** A project with its key masked. */
export const withoutKey = (project: Project): Project => ({ ...project, apiKey: maskKey(project.apiKey) });
