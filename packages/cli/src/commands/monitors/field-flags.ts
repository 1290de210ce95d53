import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RawFlags } from '../command.ts';
import { type MonitorFlag, monitorFlags } from './flags.ts';

/** Declares one flag for each field of a monitor, as the contract has them. */
export function fieldFlags(command: Command): void {
  for (const field of monitorFlags) {
    command.addOption(optionOf(field));
    // Both numbers are typed by people: the field's own, and the one that fits a single entry.
    if (field.kind === 'map') command.addOption(optionOf({ ...field, flag: plural(field) }).hideHelp());
    if (field.kind === 'boolean') command.addOption(new Option(field.flag.replace(/^--(\S+).*/, '--no-$1')).hideHelp());
  }
}

/** The fields that were given, by their names in the interface. */
export function readFields(flags: RawFlags): Record<string, unknown> {
  const given = monitorFlags.flatMap((field) => {
    const values = [field, { ...field, flag: plural(field) }]
      .map((one) => flags[optionOf(one).attributeName()])
      .filter((value) => value !== undefined);
    if (values.length === 0) return [];
    return [[field.field, field.kind === 'map' ? Object.assign({}, ...values) : values[0]] as const];
  });
  return Object.fromEntries(given);
}

/** The flag that sets a field, for a message: `--body-contains` for `bodyContains`. */
export const flagFor = (path: string): string => {
  const flag = monitorFlags.find(({ field }) => field === path.split('.')[0])?.flag;
  return flag ? flag.split(' ')[0]! : path;
};

const plural = ({ kind, flag }: MonitorFlag): string => (kind === 'map' ? flag.replace(' ', 's ') : flag);

function optionOf({ flag, kind, about, choices }: MonitorFlag): Option {
  const option = new Option(flag, about);
  if (choices) return option.choices(choices);
  const read = readers[kind];
  if (read) option.argParser(read);
  return kind === 'boolean' ? option.preset('true') : option;
}

const readers: Partial<Record<MonitorFlag['kind'], (text: string, previous: unknown) => unknown>> = {
  // What is no number goes on as text: the contract says what was expected.
  number: (text) => numberOr(text),
  status: (text) => (/^\d{3}$/.test(text) ? Number(text) : text),
  list: (text, previous) => [...((previous as string[] | undefined) ?? []), ...text.split(',').filter(Boolean)],
  boolean(text) {
    if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Expected true or false.');
    return text === 'true';
  },
  map(text, previous) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new InvalidArgumentError('Expected name=value.');
    return { ...(previous as object | undefined), [name]: value };
  },
};

const numberOr = (text: string): number | string => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
