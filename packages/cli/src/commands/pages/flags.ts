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
  {
    field: 'description',
    flag: '--description <text>',
    kind: 'text',
    about: 'What the page is about, shown under its name.',
  },
  {
    field: 'homeUrl',
    flag: '--home-url <text>',
    kind: 'text',
    about: 'Where the name of the page leads, by http or https.',
  },
  {
    field: 'iconUrl',
    flag: '--icon-url <text>',
    kind: 'text',
    about: 'An image shown beside the name, by http or https.',
  },
  {
    field: 'accentColor',
    flag: '--accent-color <text>',
    kind: 'text',
    about: 'Colour of links and of the line at the top, such as `#0a66c2`.',
  },
  {
    field: 'groupBy',
    flag: '--group-by <text>',
    kind: 'text',
    about: 'Label of the monitors; those with the same value stand under one heading.',
  },
];
