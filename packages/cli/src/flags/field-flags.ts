import { type Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../exit.ts';
import type { RawFlags } from './raw-flags.ts';

/** A flag for one field of a resource. The lists of these flags are generated from the contract. */
export interface FieldFlag {
  /** The path of the field in the API, such as `interval` or `config.webhookUrl`. */
  field: string;
  flag: string;
  /** `mixed` means a whole number or a text, such as the status 200 or the range 200-299. */
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'map' | 'list' | 'mixed';
  about: string;
  /** The types of the resource that have this field, such as `http only`. Absent if all types have the field. */
  only?: string;
  /**
   * Text in the help of a command that creates a resource: `required`, or the default. An update shows neither, because
   * it changes only given fields.
   */
  whenNew?: string;
  choices?: readonly string[];
  /** The unit of a number. */
  unit?: 'seconds';
  /** Whether the value is a secret. Then `-` stands for a value on standard input. */
  secret?: boolean;
}

type Fields = Record<string, unknown>;

/**
 * Declares one flag for each field. If `isNew`, the help also says which fields are required, and which defaults the
 * other fields have.
 */
export function fieldFlags(command: Command, flags: readonly FieldFlag[], isNew: boolean): void {
  for (const { whenNew, ...shared } of flags) {
    const facts = [shared.only, isNew && whenNew].filter(Boolean).join('; ');
    const field = { ...shared, about: facts ? `${shared.about} (${facts})` : shared.about };
    command.addOption(optionOf(field));
    // Users type both the singular and the plural of a map's flag: `--header` and `--headers`.
    if (field.kind === 'map') command.addOption(optionOf({ ...field, flag: plural(field) }).hideHelp());
    if (field.kind === 'boolean') command.addOption(new Option(field.flag.replace(/^--(\S+).*/, '--no-$1')).hideHelp());
  }
}

/** Returns the fields that flags set, nested as in the API. */
export function readFields(typed: RawFlags, flags: readonly FieldFlag[]): Fields {
  return flags.reduce<Fields>((fields, field) => {
    const values = [field, { ...field, flag: plural(field) }]
      .map((one) => typed[optionOf(one).attributeName()])
      .filter((value) => value !== undefined);
    if (values.length === 0) return fields;
    const value: unknown = field.kind === 'map' ? Object.assign({}, ...values) : values[0];
    return withField(fields, field.field.split('.'), value);
  }, {});
}

/** Copies the fields, and sets the field at a path to the given value. Returns the copy. */
export function withField(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return { ...fields, [name]: rest.length === 0 ? value : withField((inner ?? {}) as Fields, rest, value) };
}

/** Returns the flag that sets a field, for messages: `--body-contains` for `bodyContains`. */
export function flagFor(path: string, flags: readonly FieldFlag[]): string {
  const found = flags.find(({ field }) => `${path}.`.startsWith(`${field}.`));
  return found ? found.flag.split(' ')[0]! : path;
}

/**
 * Returns a merge patch: the fields, and null for each word in `unset`. Null restores the default of a field, or
 * removes an entry such as `labels.team`. A word names a field by its flag or by its name in the API.
 */
export function withUnset(fields: Fields, unset: readonly string[], flags: readonly FieldFlag[]): Fields {
  return unset.reduce<Fields>((patch, word) => {
    const [head = '', ...entry] = word.replace(/^--/, '').split('.');
    const known = flags.find(({ field, flag, kind }) => {
      const names = [flag, plural({ flag, kind })].map((one) => one.split(' ')[0]!.slice(2));
      return names.includes(head) || field.split('.').at(-1) === head;
    });
    const name = known?.field ?? head.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const path = [...name.split('.'), ...(entry.length > 0 ? [entry.join('.')] : [])];
    return withField(patch, path, null);
  }, fields);
}

const plural = ({ kind, flag }: Pick<FieldFlag, 'kind' | 'flag'>): string =>
  kind === 'map' ? flag.replace(' ', 's ') : flag;

function optionOf({ flag, kind, about, choices }: FieldFlag): Option {
  const option = new Option(flag, about);
  if (choices) return option.choices(choices);
  const read = readers[kind];
  if (read) option.argParser((text, previous) => read(text, previous, flag));
  return kind === 'boolean' ? option.preset('true') : option;
}

const readers: Partial<Record<FieldFlag['kind'], (text: string, previous: unknown, flag: string) => unknown>> = {
  // Text that is not a number is returned unchanged. Validation by the contract later says what was expected.
  number: (text) => numberOr(text),
  mixed: (text) => (/^[1-9]\d*$/.test(text) ? Number(text) : text),
  list: (text, previous) => [...((previous as string[] | undefined) ?? []), ...text.split(',').filter(Boolean)],
  boolean(text) {
    if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Expected true or false.');
    return text === 'true';
  },
  map(text, previous, flag) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    // The message does not show the text, because the text may contain the secret value of a header.
    if (name === undefined) throw new CliError(`${flag.split(' ')[0]} expects name=value`, { exit: 'usage' });
    return { ...(previous as object | undefined), [name]: value };
  },
};

const numberOr = (text: string): number | string => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
