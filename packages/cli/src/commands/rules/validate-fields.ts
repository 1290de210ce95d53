import type { AlertRuleInput, AlertRulePatch } from '@uptime/sdk';
import { alertRuleInput, alertRulePatch, validate, validateAlertRule } from '@uptime/sdk/contract';
import type { FieldFlag } from '../../flags/field-flags.ts';
import { refuseFaults } from '../../flags/refuse-faults.ts';
import { ruleFlags } from '../../nouns/flags/rules.ts';
import type { Members } from '../../flags/reference-flags.ts';

type Fields = Record<string, unknown>;

const flags: readonly FieldFlag[] = [
  ...ruleFlags,
  { field: 'monitorIds', flag: '--monitor', kind: 'list', about: '' },
  { field: 'channelIds', flag: '--channel', kind: 'list', about: '' },
];

/** Validates fields and members before they are looked up. Throws a CliError that lists every fault. */
export function checkInput(fields: Fields, { monitors, channels }: Members): void {
  const given = { ...fields, ...(monitors && { monitorIds: monitors }), ...(channels && { channelIds: channels }) };
  const checked = validateAlertRule(given);
  if (!checked.ok) refuseFaults(checked.faults, { command: 'rules create', flags, given, foreign });
}

/** Returns the input that creates a rule, once the ids of its members are known. */
export const asInput = (fields: Fields): AlertRuleInput => alertRuleInput.parse(fields);

/** Validates fields as a patch of an alert rule. Throws a CliError that lists every fault. */
export function asPatch(patch: Fields): AlertRulePatch {
  const checked = validate(alertRulePatch, patch);
  if (!checked.ok) return refuseFaults(checked.faults, { command: 'rules update', flags, given: patch, foreign });
  return checked.value;
}

const foreign = 'is not a field of an alert rule';
