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
  ['has no owner', [job], null],
  ['has the owner at its top', [`managedBy: shop\n${job}`], 'shop'],
  ['may have it in one file of several', [`managedBy: shop\n${job}`, 'monitors: []'], 'shop'],
  ['may repeat it in each file', [`managedBy: shop\n${job}`, 'managedBy: shop\nmonitors: []'], 'shop'],
  ['may have it from the environment', [`managedBy: "\${OWNER}"\n${job}`], 'from-env'],
])('a manifest %s', (_, texts, owner) => {
  const found = read(texts, { OWNER: 'from-env' });
  expect(found).toMatchObject({ owner, faults: [] });
  // Without an owner, apply must not send the field to a server that may not know it.
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
  '%s cannot be the name of a manifest',
  (written) => {
    const { owner, faults } = read([`managedBy: ${written}\n${job}`]);
    expect(owner).toBeNull();
    expect(faults).toEqual([expect.stringMatching(/^a\.yaml:1:12: `managedBy` must /)]);
  },
);
