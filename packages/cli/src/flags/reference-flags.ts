import { type Command, Option } from 'commander';
import { listed, listFlag, type RawFlags, repeated } from './raw-flags.ts';

/**
 * Declares `--monitors` for a list, and `--monitor` for a single name, which may contain a comma. `--monitor` may be
 * repeated.
 */
export const monitorsFlag = (command: Command, about: string): Command =>
  command
    .addOption(new Option('--monitors <list>', `${about}, by id, key or name, separated by commas`).argParser(listed))
    .addOption(new Option('--monitor <monitor>').argParser(repeated).hideHelp())
    .addOption(new Option('--monitor-ids <list>').argParser(listed).hideHelp());

/**
 * Returns the monitors that the flags name; undefined if no flag was given. An empty list in a flag gives an empty
 * result.
 */
export function readMonitors(flags: RawFlags): string[] | undefined {
  const given = ['monitors', 'monitor', 'monitorIds'].filter((name) => flags[name] !== undefined);
  return given.length > 0 ? given.flatMap((name) => listFlag(flags, name)) : undefined;
}

/**
 * The monitors and channels that the user named for a resource; undefined if the user named none. Only a rule has
 * channels.
 */
export interface Members {
  monitors?: string[] | undefined;
  channels?: string[] | undefined;
}

/**
 * Declares `--monitor` and `--channel`. Also declares hidden flags for lists, named like the fields of the manifest and
 * of the API.
 */
export function memberFlags(command: Command): void {
  for (const one of ['monitor', 'channel']) {
    command.option(`--${one} <${one}>`, `a ${one} by its id, key or name; may be repeated`, repeated);
    command.addOption(new Option(`--${one}s <list>`).argParser(listed).hideHelp());
    command.addOption(new Option(`--${one}-ids <list>`).argParser(listed).hideHelp());
  }
}

export const readMembers = (flags: RawFlags): Members => ({
  monitors: words(flags, 'monitor'),
  channels: words(flags, 'channel'),
});

function words(flags: RawFlags, one: 'monitor' | 'channel'): string[] | undefined {
  const all = [one, `${one}s`, `${one}Ids`].flatMap((name) => listFlag(flags, name));
  return all.length > 0 ? all : undefined;
}
