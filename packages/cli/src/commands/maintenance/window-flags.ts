import type { Command } from 'commander';
import { CliError } from '../../exit.ts';
import { type RawFlags, textFlag } from '../../flags/raw-flags.ts';
import { monitorsFlag, readMonitors } from '../../flags/reference-flags.ts';

/** The fields of a maintenance window, except its times. */
export interface WindowFields {
  title: string;
  message: string | undefined;
  monitors: string[];
}

/** Declares the flags for the title, message and monitors of a window. */
export function windowFlags(command: Command): void {
  monitorsFlag(command, 'monitors that send no alerts during the window')
    .option('--title <text>', 'its title on status pages', 'Maintenance')
    .option('--message <text>', 'first entry of the timeline: what to expect');
}

/**
 * Reads the flags of {@link windowFlags}. Throws a CliError if the flags name no monitor, or if the caller has found
 * other `faults`. The error lists all faults.
 */
export function readWindow(flags: RawFlags, command: string, faults: readonly string[] = []): WindowFields {
  const monitors = readMonitors(flags) ?? [];
  const all = [...(monitors.length === 0 ? ['--monitors is required: name at least one'] : []), ...faults];
  if (all.length > 0) {
    throw new CliError(all.join('\n'), { exit: 'usage', next: `\`uptime ${command} --help\` lists the flags` });
  }
  return { title: String(flags['title']), message: textFlag(flags, 'message'), monitors };
}
