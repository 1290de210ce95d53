// Generated from the contract by `npm run generate`. Do not edit.
import type { FieldFlag } from '../field-flags.ts';

export const pageFlags: readonly FieldFlag[] = [
  {
    field: 'key',
    flag: '--key <text>',
    kind: 'text',
    about:
      'A stable name that you choose, unique among objects of the same kind in the project. An object with a key keeps its history when you rename it.',
  },
  {
    field: 'managedBy',
    flag: '--managed-by <text>',
    kind: 'text',
    about:
      'Name of the manifest that manages this object; null if none does. `apply --prune` deletes only objects of its own manifest.',
  },
  {
    field: 'name',
    flag: '--name <text>',
    kind: 'text',
    about: 'Display name, 1 to 200 characters.',
    whenNew: 'required',
  },
  {
    field: 'slug',
    flag: '--slug <text>',
    kind: 'text',
    about: 'Last segment of the public address, unique on the server.',
    whenNew: 'required',
  },
  { field: 'customDomain', flag: '--custom-domain <text>', kind: 'text', about: 'Domain name that serves this page.' },
  { field: 'description', flag: '--description <text>', kind: 'text', about: "Text shown under the page's name." },
  {
    field: 'homeUrl',
    flag: '--home-url <text>',
    kind: 'text',
    about: "Address that the page's name links to (http or https).",
  },
  {
    field: 'iconUrl',
    flag: '--icon-url <text>',
    kind: 'text',
    about: "Address of an image shown beside the page's name (http or https).",
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
    about: 'Name of a label: monitors with the same value of this label share a heading.',
  },
];
