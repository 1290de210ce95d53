import { type Command, Option } from 'commander';
import { listed, listFlag, type RawFlags, repeated } from '../command.ts';

/** The given monitors and channels of a rule; undefined if none were given. */
export interface Members {
  monitors: string[] | undefined;
  channels: string[] | undefined;
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
