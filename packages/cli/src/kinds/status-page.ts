import { manifest, validate } from '@uptime/sdk/contract';
import { besidesDefaults } from './besides-defaults.ts';
import { collectionOf, fieldsOf, type Kind } from './kind.ts';

const schema = manifest.shape.statusPages.unwrap().element;

export const statusPage: Kind = {
  name: 'statusPage',
  list: 'statusPages',
  one: 'status page',
  many: 'status pages',
  collection: ({ statusPages }) => collectionOf(statusPages),
  validate: (given) => validate(schema, given),
  references: { monitors: { kind: 'monitor', ids: 'monitorIds', ordered: true } },
  compare: {},
  isSecret: () => false,
  write(remote, nameOf) {
    const fields = fieldsOf(remote);
    const monitors = (fields['monitorIds'] as string[]).map(nameOf);
    return besidesDefaults(schema.shape, { ...fields, monitors });
  },
};
