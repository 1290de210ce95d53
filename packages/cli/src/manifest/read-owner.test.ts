import { expect, test } from 'vitest';
import { formatDiagnostic } from './diagnostic.ts';
import { validateManifests } from './validate.ts';

const job = 'monitors: [{ name: Job, type: heartbeat }]';
const read = (texts: string[], env: Record<string, string> = {}) => {
  const sources = texts.map((text, i) => ({ name: `${'ab'[i]}.yaml`, text }));
  const { owner, items, faults } = validateManifests(sources, env);
  return {
    owner,
    faults: faults.map(formatDiagnostic),
    owned: items.map(({ value, given }) => [value['managedBy'], given['managedBy']]),
  };
};

test.each<[string, string[], string | null]>([
  ['without `managedBy` has no owner', [job], null],
  ['has the owner that `managedBy` at its top names', [`managedBy: shop\n${job}`], 'shop'],
  ['may have `managedBy` in only some of its files', [`managedBy: shop\n${job}`, 'monitors: []'], 'shop'],
  ['may repeat `managedBy` in each of its files', [`managedBy: shop\n${job}`, 'managedBy: shop\nmonitors: []'], 'shop'],
  ['may take `managedBy` from an environment variable', [`managedBy: "\${OWNER}"\n${job}`], 'from-env'],
])('a manifest %s', (_, texts, owner) => {
  const found = read(texts, { OWNER: 'from-env' });
  expect(found).toMatchObject({ owner, faults: [] });
  // If the manifest has no `managedBy`, its items must not have it either, because an older server may refuse it.
  expect(found.owned).toEqual([[owner, owner ?? undefined]]);
});

test.each<[string, string[], string[]]>([
  [
    'two files have different names',
    [`managedBy: shop\n${job}`, 'managedBy: cart\nmonitors: []'],
    ['b.yaml:1:12: `managedBy` is "shop" at a.yaml:1; all files of a manifest must have the same name'],
  ],
  [
    'an item has the field',
    ['monitors: [{ name: Job, type: heartbeat, managedBy: shop }]'],
    ['a.yaml:1:53: `managedBy` applies to a whole manifest: write it at the top, beside `monitors`'],
  ],
  [
    'a variable in it is not set',
    [`managedBy: "\${NONE}"\n${job}`],
    ['a.yaml:1:12: the environment variable NONE is not set; set it, or write ${NONE:-default}'],
  ],
])('`managedBy` is a fault if %s', (_, texts, faults) => {
  expect(read(texts)).toMatchObject({ faults });
});

test.each(['""', '[]', '5', '{}', '"a\\nb"', `"${'x'.repeat(300)}"`])(
  'readOwner reports a fault if `managedBy` is %s',
  (written) => {
    const { owner, faults } = read([`managedBy: ${written}\n${job}`]);
    expect(owner).toBeNull();
    expect(faults).toEqual([expect.stringMatching(/^a\.yaml:1:12: `managedBy` must /)]);
  },
);
