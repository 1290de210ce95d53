// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const ruleFlags: readonly FieldFlag[] = [
  {
    field: 'key',
    flag: '--key <text>',
    kind: 'text',
    about: 'A stable name of your own, unique for its kind in the project; a rename keeps its history.',
  },
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'Display name, 1 to 200 characters. (required)' },
  {
    field: 'trigger',
    flag: '--trigger <choice>',
    kind: 'choice',
    about: 'What fires the alert. (default: "monitor_down")',
    choices: ['monitor_down', 'ssl_expiring', 'ssl_expired', 'ssl_invalid', 'domain_expiring', 'domain_expired'],
  },
  {
    field: 'consecutiveFailures',
    flag: '--consecutive-failures <n>',
    kind: 'number',
    about: 'Failed checks in a row before the alert fires; for `monitor_down` only, else 1. (default: 1)',
  },
  {
    field: 'notifyOnRecovery',
    flag: '--notify-on-recovery [boolean]',
    kind: 'boolean',
    about: 'Whether the recovery is sent too. (default: true)',
  },
  {
    field: 'reminderInterval',
    flag: '--reminder-interval <n>',
    kind: 'number',
    about: 'Seconds between reminders while the alert is open; null for none.',
  },
  {
    field: 'expiryAlerts',
    flag: '--expiry-alerts [boolean]',
    kind: 'boolean',
    about:
      'Whether a `monitor_down` rule also tells of certificates and domains, where no rule of their own watches. (default: true)',
  },
  {
    field: 'enabled',
    flag: '--enabled [boolean]',
    kind: 'boolean',
    about: 'False: the rule opens no alert. (default: true)',
  },
];
