import { CliError } from '../exit.ts';
import { type FieldFlag, withField } from '../flags/field-flags.ts';
import { type Io, readAll } from '../io.ts';

type Fields = Record<string, unknown>;

/**
 * If a secret field was given as `-`, reads its value from standard input. Returns all fields. Throws a CliError if
 * several fields are `-`, or if the input is empty.
 */
export async function readSecrets(fields: Fields, flags: readonly FieldFlag[], io: Pick<Io, 'stdin'>): Promise<Fields> {
  const fromStdin = flags.filter(({ field, secret }) => secret && at(fields, field.split('.')) === '-');
  const [first] = fromStdin;
  if (!first) return fields;
  const names = fromStdin.map(({ flag }) => flag.split(' ')[0]!);
  if (fromStdin.length > 1) {
    throw new CliError(`${names.join(' and ')}: standard input can hold only one secret`, { exit: 'usage' });
  }
  const secret = (await readAll(io.stdin)).trim();
  if (secret === '') throw new CliError(`no ${names[0]} was read from standard input`, { exit: 'usage' });
  return withField(fields, first.field.split('.'), secret);
}

const at = (fields: Fields, [name = '', ...rest]: readonly string[]): unknown => {
  const inner = fields[name];
  return rest.length === 0 || typeof inner !== 'object' || inner === null ? inner : at(inner as Fields, rest);
};
