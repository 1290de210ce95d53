import type { IncidentInput, IncidentPatch } from '@uptime/sdk';
import { incidentInput, incidentPatch, validate } from '@uptime/sdk/contract';
import { refuseFaults } from '../../flags/refuse-faults.ts';
import { incidentFlags } from '../../nouns/flags/incidents.ts';

type Fields = Record<string, unknown>;

const foreign = 'is not a field of an incident';

/** Validates fields as input that creates an incident. Throws a CliError that lists every fault. */
export function asInput(fields: Fields, command: string): IncidentInput {
  const checked = validate(incidentInput, fields);
  if (!checked.ok) return refuseFaults(checked.faults, { command, flags: incidentFlags, given: fields, foreign });
  return checked.value;
}

/** Validates fields as a patch of an incident. Throws a CliError that lists every fault. */
export function asPatch(patch: Fields, command: string): IncidentPatch {
  const checked = validate(incidentPatch, patch);
  if (!checked.ok) return refuseFaults(checked.faults, { command, flags: incidentFlags, given: patch, foreign });
  return checked.value;
}
