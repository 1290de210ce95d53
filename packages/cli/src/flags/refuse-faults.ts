import type { Fault } from '@uptime/sdk/contract';
import { CliError } from '../exit.ts';
import { type FieldFlag, flagFor } from './field-flags.ts';

interface Refused {
  command: string;
  flags: readonly FieldFlag[];
  /** The fields that the user gave. */
  given: object;
  /** The end of the message about an unknown field, such as `is not a field of a project`. The flag comes before it. */
  foreign: string;
}

/** Throws a CliError with one line for each fault. Each line begins with the flag of the faulty field. */
export function refuseFaults(faults: readonly Fault[], { command, flags, given, foreign }: Refused): never {
  const lines = faults.map((fault) => {
    const { path, message } = fault;
    const flag = flagFor(path, flags);
    const map = flags.find(({ field, kind }) => kind === 'map' && path.startsWith(`${field}.`));
    if (fault.code === 'unknown_field') return `${flag} ${foreign}`;
    if (map) return `${flag} ${path.slice(map.field.length + 1)}: ${message}`;
    const saysRequired = fault.code === 'required' && fault.params.format === null;
    return `${flag} ${isGiven(given, path) || saysRequired ? message : `is required, and ${message}`}`;
  });
  throw new CliError([...new Set(lines)].join('\n'), {
    exit: 'usage',
    next: `\`uptime ${command} --help\` lists the flags`,
  });
}

/**
 * Whether the user gave a value at a path. Also true if the user gave a simple value, such as a text, where the path
 * expects a map.
 */
function isGiven(given: object, path: string): boolean {
  const [head = '', ...rest] = path.split('.');
  if (!Object.hasOwn(given, head)) return false;
  const inner = (given as Record<string, unknown>)[head];
  return rest.length === 0 || typeof inner !== 'object' || inner === null || isGiven(inner, rest.join('.'));
}
/** Throws a CliError for an update without fields. */
export function refuseNothing(patch: object, command: string, such: string): void {
  if (Object.keys(patch).length > 0) return;
  throw new CliError(`nothing to change: name at least one field, such as ${such}`, {
    exit: 'usage',
    next: `\`uptime ${command} --help\` lists the flags`,
  });
}
