import { manifest, validate, validateStatusPage } from '@uptime/sdk/contract';
import { besidesDefaults } from './besides-defaults.ts';
import { collectionOf, fieldsOf, type Kind } from './kind.ts';

const schema = manifest.shape.statusPages.unwrap().element;

export const statusPage: Kind = {
  name: 'statusPage',
  list: 'statusPages',
  one: 'status page',
  many: 'status pages',
  collection: ({ statusPages }) => collectionOf(statusPages),
  validate(given) {
    const checked = validate(schema, given);
    if (!checked.ok) return checked;
    const { monitors, ...fields } = checked.value;
    const page = validateStatusPage(fields);
    // A domain comes back as the server keeps it.
    return page.ok ? { ok: true, value: { ...fields, monitors, customDomain: page.value.customDomain } } : page;
  },
  references: { monitors: { kind: 'monitor', ids: 'monitorIds', ordered: true } },
  compare: {},
  isSecret: () => false,
  write(remote, nameOf) {
    const fields = fieldsOf(remote);
    const monitors = (fields['monitorIds'] as string[]).map(nameOf);
    return besidesDefaults(schema.shape, { ...fields, monitors });
  },
};
