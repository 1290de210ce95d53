import { manifest, statusPageInput, statusPagePatch, validate, validateStatusPage } from '@uptime/sdk/contract';
import { pageFlags } from '../flags/fields/pages.ts';
import { askField } from '../prompts/ask-field.ts';
import { chooseMonitors } from '../prompts/choose.ts';
import { besidesDefaults } from './besides-defaults.ts';
import type { FieldRules } from './field-rules.ts';
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
    // Returns the domain in the form in which the server stores it. So another spelling of the same domain is not a
    // difference.
    if (checked.ok && page.ok) {
      return { ok: true, value: { ...checked.value, customDomain: page.value.customDomain } };
    }
    const faults = [checked, page].flatMap((one) => (one.ok ? [] : one.faults));
    // The schema and the rules may both report a fault of the same field. The map keeps only one of them.
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

/** The rules for the fields of a status page, and their flags. */
export const statusPageRules: FieldRules = {
  flags: pageFlags,
  foreign: () => 'is not a field of a status page',
  create: ({ fields }) => validateStatusPage(fields),
  update: (patch) => validate(statusPagePatch, patch),

  async ask({ fields: given, members }, connection) {
    const { shape } = statusPageInput;
    const fields = { ...given };
    for (const field of ['name', 'slug'] as const) fields[field] ??= await askField(field, shape[field], connection);
    const question = 'Which monitors does the page show?';
    return { fields, members: await chooseMonitors(members, { question }, connection) };
  },
};
