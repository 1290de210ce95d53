import type { Command } from 'commander';
import { CliError } from '../../exit.ts';
import { type RawFlags, textFlag } from '../command.ts';
import { monitorsFlag, readMonitors } from '../monitors-flag.ts';

/** What a window is made of, but for its times. */
export interface WindowFields {
  title: string;
  message: string | undefined;
  monitors: string[];
}

/** Declares title, message and monitors. */
export function windowFlags(command: Command): void {
  monitorsFlag(command, 'monitors that send no alert meanwhile')
    .option('--title <text>', 'what status pages call it', 'Maintenance')
    .option('--message <text>', 'what to expect, as the first entry of the timeline');
}

/** Reads them, with the faults of what else was typed. Throws a CliError that lists every fault. */
export function readWindow(flags: RawFlags, command: string, faults: readonly string[] = []): WindowFields {
  const monitors = readMonitors(flags) ?? [];
  const all = [...(monitors.length === 0 ? ['--monitors is required: name at least one'] : []), ...faults];
  if (all.length > 0) {
    throw new CliError(all.join('\n'), { exit: 'usage', next: `\`uptime ${command} --help\` lists the flags` });
  }
  return { title: String(flags['title']), message: textFlag(flags, 'message'), monitors };
}
