import { type Command, Option } from 'commander';
import { listed, listFlag, type RawFlags, repeated } from './command.ts';

/** Declares `--monitors`, and `--monitor` for names that contain a comma; it may be repeated. */
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
