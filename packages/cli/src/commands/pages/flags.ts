// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const pageFlags: readonly FieldFlag[] = [
  {
    field: 'key',
    flag: '--key <text>',
    kind: 'text',
    about: 'A stable name of your own, unique for its kind in the project; a rename keeps its history.',
  },
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'Display name, 1 to 200 characters. (required)' },
  {
    field: 'slug',
    flag: '--slug <text>',
    kind: 'text',
    about: 'Last segment of the public address, unique on the server. (required)',
  },
  { field: 'customDomain', flag: '--custom-domain <text>', kind: 'text', about: 'Domain name that serves this page.' },
];
