import { type Command, Option } from 'commander';
import { listed, listFlag, type RawFlags, repeated } from './raw-flags.ts';

/** Declares `--monitors`, and `--monitor` for names that contain a comma. `--monitor` may be repeated. */
export const monitorsFlag = (command: Command, about: string): Command =>
  command
    .addOption(new Option('--monitors <list>', `${about}, by id, key or name, separated by commas`).argParser(listed))
    .addOption(new Option('--monitor <monitor>').argParser(repeated).hideHelp())
    .addOption(new Option('--monitor-ids <list>').argParser(listed).hideHelp());

/** Returns the given monitors: undefined without any of the flags, and empty for an empty list. */
export function readMonitors(flags: RawFlags): string[] | undefined {
  const given = ['monitors', 'monitor', 'monitorIds'].filter((name) => flags[name] !== undefined);
  return given.length > 0 ? given.flatMap((name) => listFlag(flags, name)) : undefined;
}

/** The monitors and channels that a resource names; undefined if none were given. Only a rule has channels. */
export interface Members {
  monitors?: string[] | undefined;
  channels?: string[] | undefined;
}

/** Declares `--monitor` and `--channel`, and hidden list flags with the names of the manifest and of the API. */
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
