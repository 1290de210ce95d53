import { manifest, validate, validateStatusPage } from '@uptime/sdk/contract';
import { besidesDefaults } from './besides-defaults.ts';
import { collectionOf, type Fields, fieldsOf, type Kind } from './kind.ts';

const schema = manifest.shape.statusPages.unwrap().element;

export const statusPage: Kind = {
  name: 'statusPage',
  list: 'statusPages',
  one: 'status page',
  many: 'status pages',
  collection: ({ statusPages }) => collectionOf(statusPages),
  validate(given) {
    const checked = validate(schema, given);
    const { monitors: _, ...fields } = given as Fields;
    const page = validateStatusPage(fields);
    // The domain in the server's form.
    if (checked.ok && page.ok) {
      return { ok: true, value: { ...checked.value, customDomain: page.value.customDomain } };
    }
    const faults = [checked, page].flatMap((one) => (one.ok ? [] : one.faults));
    // Both report a fault of a field that both know; the map keeps one.
    return { ok: false, faults: [...new Map(faults.map((fault) => [fault.path, fault])).values()] };
  },
  unique: ['slug', 'customDomain'],
  references: { monitors: { kind: 'monitor', ids: 'monitorIds', ordered: true } },
  compare: {},
  isSecret: () => false,
  write(remote, nameOf) {
    const fields = fieldsOf(remote);
    const monitors = (fields['monitorIds'] as string[]).map(nameOf);
    return besidesDefaults(schema.shape, { ...fields, monitors });
  },
};
