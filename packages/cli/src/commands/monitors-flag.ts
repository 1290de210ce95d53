import { type Command, Option } from 'commander';
import { listed, listFlag, type RawFlags, repeated } from './command.ts';

/** Declares `--monitors`; a name with a comma in it goes by `--monitor`, which may be repeated. */
export const monitorsFlag = (command: Command, about: string): Command =>
  command
    .addOption(new Option('--monitors <list>', `${about}, by id, key or name, with commas between`).argParser(listed))
    .addOption(new Option('--monitor <monitor>').argParser(repeated).hideHelp())
    .addOption(new Option('--monitor-ids <list>').argParser(listed).hideHelp());

/** The monitors that were typed; undefined where none were, and empty for an empty list. */
export function readMonitors(flags: RawFlags): string[] | undefined {
  const given = ['monitors', 'monitor', 'monitorIds'].filter((name) => flags[name] !== undefined);
  return given.length > 0 ? given.flatMap((name) => listFlag(flags, name)) : undefined;
}
