import type { Fault, Validated } from '@uptime/sdk/contract';
import type { Connection } from '../connection.ts';
import type { FieldFlag } from '../flags/field-flags.ts';
import type { Members } from '../flags/reference-flags.ts';
import { refuseFaults } from '../flags/refuse-faults.ts';
import type { Fields } from './kind.ts';

/** The fields of a new resource as typed, and the resources that it names, each by its id, key or name. */
export interface Given {
  fields: Fields;
  members: Members;
}

/** The contract's rules for the fields of a resource. */
export interface FieldRules {
  /** The flags of the fields, for messages. */
  flags: readonly FieldFlag[];
  /** Says what is wrong with a field that a resource of this type does not have. */
  foreign: (type: unknown) => string;
  /** Validates the fields of a new resource. */
  create: (given: Given) => Validated<object>;
  /** Validates changed fields. Without `type`, the type is not known yet. */
  update: (patch: Fields, type?: string) => Validated<object>;
  /**
   * Set if the type of a resource decides its fields, so that a change can be validated only once the resource is
   * found.
   */
  typed?: true;
  /** Asks on a terminal for missing fields. */
  ask?: (given: Given, connection: Connection) => Promise<Given>;
}

/** Returns monitors and channels under the names of the API's id fields, but with the words that were typed. */
export const asIds = ({ monitors, channels }: Members): { monitorIds?: string[]; channelIds?: string[] } => ({
  ...(monitors && { monitorIds: monitors }),
  ...(channels && { channelIds: channels }),
});

/** Returns the body that creates a resource. Throws a CliError that lists every fault and names the command. */
export function validInput(given: Given, rules: FieldRules, command: string): object {
  const checked = rules.create(given);
  if (checked.ok) return checked.value;
  return refuse(checked.faults, { ...given.fields, ...asIds(given.members) }, rules, command, given.fields['type']);
}

/** Returns the body that changes a resource. Throws a CliError that lists every fault and names the command. */
export function validPatch(patch: Fields, rules: FieldRules, command: string, type?: string): object {
  const checked = rules.update(patch, type);
  if (checked.ok) return checked.value;
  return refuse(checked.faults, patch, rules, command, patch['type'] ?? type);
}

function refuse(faults: readonly Fault[], given: Fields, rules: FieldRules, command: string, type: unknown): never {
  return refuseFaults(faults, { command, flags: rules.flags, given, foreign: rules.foreign(type) });
}
