import { alertRuleFaults, manifest, validate } from '@uptime/sdk/contract';
import { besidesDefaults } from './besides-defaults.ts';
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
