import type { ProjectInput } from '@uptime/sdk';
import { projectInput, validate } from '@uptime/sdk/contract';
import { CliError } from '../../exit.ts';

/** Validates the name of a project. Throws a CliError for a name that the contract does not allow. */
export function readProjectName(name: string): ProjectInput {
  const checked = validate(projectInput, { name });
  if (checked.ok) return checked.value;
  throw new CliError(checked.faults.map(({ message }) => `--name ${message}`).join('\n'), { exit: 'usage' });
}
