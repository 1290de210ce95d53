import { CliError } from '../exit.ts';

/** Throws a CliError for an update without fields. */
export function refuseNothing(patch: object, command: string, such: string): void {
  if (Object.keys(patch).length > 0) return;
  throw new CliError(`nothing to change: name at least one field, such as ${such}`, {
    exit: 'usage',
    next: `\`uptime ${command} --help\` lists the flags`,
  });
}
