import { projectInput, validate } from '@uptime/sdk/contract';
import { CliError } from '../exit.ts';
import type { FieldRules } from './field-rules.ts';
import type { Fields } from './kind.ts';

/** The fields of a project as flags. */
export const projectRules: FieldRules = {
  flags: [],
  foreign: () => 'is not a field of a project',
  create: ({ fields }) => named(fields),
  update: named,
};

/** Throws a CliError for a name that the contract does not allow. */
function named(fields: Fields) {
  const checked = validate(projectInput, fields);
  if (checked.ok) return checked;
  throw new CliError(checked.faults.map(({ message }) => `--name ${message}`).join('\n'), { exit: 'usage' });
}
