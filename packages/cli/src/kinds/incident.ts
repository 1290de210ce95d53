import { incidentInput, incidentPatch, validate } from '@uptime/sdk/contract';
import { incidentFlags } from '../flags/fields/incidents.ts';
import { askField } from '../prompts/ask-field.ts';
import { chooseMonitors } from '../prompts/choose.ts';
import type { FieldRules } from './field-rules.ts';

const { title, message } = incidentInput.shape;

/**
 * The rules for the fields of an incident, and their flags. A manifest cannot contain incidents, only maintenance
 * windows.
 */
export const incidentRules: FieldRules = {
  flags: incidentFlags,
  foreign: () => 'is not a field of an incident',
  create: ({ fields }) => validate(incidentInput, fields),
  update: (patch) => validate(incidentPatch, patch),

  async ask({ fields: given, members }, connection) {
    const fields = { ...given };
    fields['title'] ??= await askField(
      'title',
      title.describe('Title, as readers of your status pages will see it:'),
      connection,
    );
    if (fields['message'] === undefined) {
      const text = message.describe('What do you know so far? (may be empty)');
      fields['message'] = String(await askField('message', text, connection));
    }
    const question = 'Which monitors does the incident affect? (if none, all status pages show it)';
    return { fields, members: await chooseMonitors(members, { question, marksDown: true }, connection) };
  },
};
