// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const ruleFlags: readonly FieldFlag[] = [
  {
    field: 'key',
    flag: '--key <text>',
    kind: 'text',
    about:
      'A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it.',
  },
  {
    field: 'managedBy',
    flag: '--managed-by <text>',
    kind: 'text',
    about:
      'Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest.',
  },
  {
    field: 'name',
    flag: '--name <text>',
    kind: 'text',
    about: 'Display name, 1 to 200 characters.',
    whenNew: 'required',
  },
  {
    field: 'trigger',
    flag: '--trigger <choice>',
    kind: 'choice',
    about: 'Event that fires the alert.',
    whenNew: 'default: "monitor_down"',
    choices: ['monitor_down', 'ssl_expiring', 'ssl_expired', 'ssl_invalid', 'domain_expiring', 'domain_expired'],
  },
  {
    field: 'consecutiveFailures',
    flag: '--consecutive-failures <n>',
    kind: 'number',
    about:
      'Failed rounds in a row before the alert fires. With one region, a round is one check. Values above 1 are only for the trigger `monitor_down`.',
    whenNew: 'default: 1',
  },
  {
    field: 'notifyOnRecovery',
    flag: '--notify-on-recovery [boolean]',
    kind: 'boolean',
    about: 'Whether a message is sent when the monitor recovers.',
    whenNew: 'default: true',
  },
  {
    field: 'reminderInterval',
    flag: '--reminder-interval <n>',
    kind: 'number',
    about: 'Seconds between reminders while the alert is open; null for no reminders.',
    unit: 'seconds',
  },
  {
    field: 'expiryAlerts',
    flag: '--expiry-alerts [boolean]',
    kind: 'boolean',
    about:
      'Whether a `monitor_down` rule also sends certificate and domain alerts, except those that another rule for the monitor sends.',
    whenNew: 'default: true',
  },
  {
    field: 'enabled',
    flag: '--enabled [boolean]',
    kind: 'boolean',
    about: 'Whether the rule opens alerts.',
    whenNew: 'default: true',
  },
];
