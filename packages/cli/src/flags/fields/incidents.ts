// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const incidentFlags: readonly FieldFlag[] = [
  { field: 'title', flag: '--title <text>', kind: 'text', about: 'Title, 1 to 200 characters.', whenNew: 'required' },
  {
    field: 'status',
    flag: '--status <choice>',
    kind: 'choice',
    about: 'A new incident begins as `investigating`, a maintenance window as `identified`.',
    choices: ['investigating', 'identified', 'monitoring', 'resolved'],
  },
  { field: 'message', flag: '--message <text>', kind: 'text', about: 'Text that is added to the timeline.' },
];
