import { type AlertRuleFields, alertRuleInput } from './alert-rules.ts';
import { type Fault, faultAt } from './fault-at.ts';
import { validate, type Validated } from './validate.ts';

/** Validates the input that creates an alert rule, by its schema and by rules that JSON Schema cannot express. */
export function validateAlertRule(input: unknown): Validated<AlertRuleFields> {
  const parsed = validate(alertRuleInput, input);
  if (!parsed.ok) return parsed;
  const faults = alertRuleFaults(parsed.value);
  return faults.length === 0 ? parsed : { ok: false, faults };
}

/** Finds the faults that the schema cannot detect. */
export function alertRuleFaults(rule: Pick<AlertRuleFields, 'trigger' | 'consecutiveFailures'>): Fault[] {
  if (rule.trigger === 'monitor_down' || rule.consecutiveFailures === 1) return [];
  return [faultAt('consecutiveFailures', 'only_for_monitor_down', { trigger: rule.trigger })];
}
