import { projectInput, validate } from '@uptime/sdk/contract';
import { CliError } from '../exit.ts';
import type { FieldRules } from './field-rules.ts';
import type { Fields } from './kind.ts';

/**
 * The rules for the fields of a project. `flags` is empty, because the messages of the function `named` already contain
 * the flag `--name`.
 */
export const projectRules: FieldRules = {
  flags: [],
  foreign: () => 'is not a field of a project',
  create: ({ fields }) => named(fields),
  update: named,
};

/** Returns the validated fields. Throws a CliError if the contract does not allow the name. */
function named(fields: Fields) {
  const checked = validate(projectInput, fields);
  if (checked.ok) return checked;
  throw new CliError(checked.faults.map(({ message }) => `--name ${message}`).join('\n'), { exit: 'usage' });
}
