import type { Fault, Validated } from '@uptime/sdk/contract';
import type { Connection } from '../connection.ts';
import type { FieldFlag } from '../flags/field-flags.ts';
import type { Members } from '../flags/reference-flags.ts';
import { refuseFaults } from '../flags/refuse-faults.ts';
import type { Fields } from './kind.ts';

/**
 * The fields of a new resource as the user typed them. `members` are the resources to which the new resource
 * refers, each as an id, key or name.
 */
export interface Given {
  fields: Fields;
  members: Members;
}

/** Validation of the fields of a resource by the contract, and the texts for its error messages. */
export interface FieldRules {
  /** The flags of the fields. A message about a field names its flag. */
  flags: readonly FieldFlag[];
  /** Returns the message for a field that a resource of this type does not have. */
  foreign: (type: unknown) => string;
  /** Validates the fields of a new resource. */
  create: (given: Given) => Validated<object>;
  /** Validates changed fields. `type` is missing while the type of the resource is still unknown. */
  update: (patch: Fields, type?: string) => Validated<object>;
  /**
   * Set if the fields of a resource depend on its type. Then a change can be validated only after the resource has been
   * read.
   */
  typed?: true;
  /** Asks for missing fields on a terminal. */
  ask?: (given: Given, connection: Connection) => Promise<Given>;
}

/**
 * Renames `monitors` and `channels` to the API's fields `monitorIds` and `channelIds`. The values are still the words
 * that the user typed.
 */
export const asIds = ({ monitors, channels }: Members): { monitorIds?: string[]; channelIds?: string[] } => ({
  ...(monitors && { monitorIds: monitors }),
  ...(channels && { channelIds: channels }),
});

/** Returns the request body that creates a resource. Throws a CliError that lists every fault and names `command`. */
export function validInput(given: Given, rules: FieldRules, command: string): object {
  const checked = rules.create(given);
  if (checked.ok) return checked.value;
  return refuse(checked.faults, { ...given.fields, ...asIds(given.members) }, rules, command, given.fields['type']);
}

/** Returns the request body that changes a resource. Throws a CliError that lists every fault and names `command`. */
export function validPatch(patch: Fields, rules: FieldRules, command: string, type?: string): object {
  const checked = rules.update(patch, type);
  if (checked.ok) return checked.value;
  return refuse(checked.faults, patch, rules, command, patch['type'] ?? type);
}

function refuse(faults: readonly Fault[], given: Fields, rules: FieldRules, command: string, type: unknown): never {
  return refuseFaults(faults, { command, flags: rules.flags, given, foreign: rules.foreign(type) });
}
