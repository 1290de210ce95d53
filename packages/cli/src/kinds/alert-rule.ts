import {
  alertRuleFaults,
  alertRuleInput,
  alertRulePatch,
  manifest,
  validate,
  validateAlertRule,
} from '@uptime/sdk/contract';
import type { FieldFlag } from '../flags/field-flags.ts';
import { ruleFlags } from '../flags/fields/rules.ts';
import { askField } from '../prompts/ask-field.ts';
import { chooseSome } from '../prompts/choose.ts';
import { besidesDefaults } from './besides-defaults.ts';
import { asIds, type FieldRules } from './field-rules.ts';
import { collectionOf, fieldsOf, type Kind } from './kind.ts';

const schema = manifest.shape.alertRules.unwrap().element;

export const alertRule: Kind = {
  name: 'alertRule',
  list: 'alertRules',
  one: 'alert rule',
  many: 'alert rules',
  collection: ({ alertRules }) => collectionOf(alertRules),
  validate(given) {
    const checked = validate(schema, given);
    const faults = checked.ok ? alertRuleFaults(checked.value) : [];
    return faults.length > 0 ? { ok: false, faults } : checked;
  },
  references: {
    monitors: { kind: 'monitor', ids: 'monitorIds', ordered: false },
    channels: { kind: 'channel', ids: 'channelIds', ordered: false },
  },
  compare: {},
  isSecret: () => false,
  write(remote, nameOf) {
    const fields = fieldsOf(remote);
    const names = (ids: unknown) => (ids as string[]).map(nameOf);
    return besidesDefaults(schema.shape, {
      ...fields,
      monitors: names(fields['monitorIds']),
      channels: names(fields['channelIds']),
    });
  },
};

/** The flags for the monitors and channels of a rule. The generated `ruleFlags` does not contain them. */
const memberFlags: readonly FieldFlag[] = [
  { field: 'monitorIds', flag: '--monitor', kind: 'list', about: '' },
  { field: 'channelIds', flag: '--channel', kind: 'list', about: '' },
];

/** The rules for the fields of an alert rule, and their flags. */
export const alertRuleRules: FieldRules = {
  flags: [...ruleFlags, ...memberFlags],
  foreign: () => 'is not a field of an alert rule',
  create: ({ fields, members }) => validateAlertRule({ ...fields, ...asIds(members) }),
  update: (patch) => validate(alertRulePatch, patch),

  async ask({ fields, members }, connection) {
    const { client, signal } = connection;
    const name = fields['name'] ?? (await askField('name', alertRuleInput.shape.name, connection));
    const monitors =
      members.monitors ??
      (await chooseSome(
        'Which monitors does the rule watch?',
        'there are no monitors yet: `uptime monitors create` creates one',
        await client.monitors.list({}, { signal }),
        connection,
      ));
    const channels =
      members.channels ??
      (await chooseSome(
        'Which channels does the rule notify?',
        'there are no channels yet: `uptime channels create` creates one',
        await client.channels.list({}, { signal }),
        connection,
      ));
    return { fields: { ...fields, name }, members: { monitors, channels } };
  },
};
