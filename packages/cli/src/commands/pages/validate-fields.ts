import type { StatusPageInput, StatusPagePatch } from '@uptime/sdk';
import { statusPagePatch, validate, validateStatusPage } from '@uptime/sdk/contract';
import { refuseFaults } from '../../flags/refuse-faults.ts';
import { pageFlags } from '../../nouns/flags/pages.ts';

type Fields = Record<string, unknown>;

const foreign = 'is not a field of a status page';

/** Validates fields as input that creates a status page. Throws a CliError that lists every fault. */
export function asInput(fields: Fields): StatusPageInput {
  const checked = validateStatusPage(fields);
  if (checked.ok) return checked.value;
  return refuseFaults(checked.faults, { command: 'pages create', flags: pageFlags, given: fields, foreign });
}

/** Validates fields as a patch of a status page. Throws a CliError that lists every fault. */
export function asPatch(patch: Fields): StatusPagePatch {
  const checked = validate(statusPagePatch, patch);
  if (checked.ok) return checked.value;
  return refuseFaults(checked.faults, { command: 'pages update', flags: pageFlags, given: patch, foreign });
}
