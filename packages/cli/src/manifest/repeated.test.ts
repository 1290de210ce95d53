import { expect, test } from 'vitest';
import { formatDiagnostic } from './diagnostic.ts';
import { validateManifests } from './validate.ts';

/** Validates two files together, and returns the faults. Each fault has to name the right file. */
const faults = (first: string, second = 'monitors: []') =>
  validateManifests(
    [
      { name: 'a.yaml', text: first },
      { name: 'b.yaml', text: second },
    ],
    {},
  ).faults.map(formatDiagnostic);

const monitors = (...items: string[]) =>
  `monitors:\n${items.map((item) => `  - { type: heartbeat, ${item} }\n`).join('')}`;
const pages = (...items: string[]) => `statusPages:\n${items.map((item) => `  - { ${item} }\n`).join('')}`;

test.each<[string, string, string | undefined, string[]]>([
  [
    'the same name twice, without keys',
    monitors('name: A', 'name: A'),
    undefined,
    ['a.yaml:3:30: the name "A" is already used at a.yaml:2; rename one, or give each a `key`'],
  ],
  [
    'the same name in another file',
    monitors('name: A'),
    monitors('name: A'),
    ['b.yaml:2:30: the name "A" is already used at a.yaml:2; rename one, or give each a `key`'],
  ],
  ['the same name with two keys', monitors('name: A, key: a', 'name: A, key: b'), undefined, []],
  ['the same name, with a key and without one', monitors('name: A, key: a', 'name: A'), undefined, []],
  [
    'the same key in another file',
    monitors('name: A, key: a'),
    monitors('name: B, key: a'),
    ['b.yaml:2:38: the key "a" is already used at a.yaml:2; a key must belong to only one monitor'],
  ],
  ['a key that is the name of another item', monitors('name: a', 'name: B, key: a'), undefined, []],
  ['the same key for two kinds', monitors('name: A, key: a'), pages('name: P, key: a, slug: p'), []],
  [
    'the same name three times',
    monitors('name: A', 'name: A', 'name: A'),
    undefined,
    [
      'a.yaml:3:30: the name "A" is already used at a.yaml:2; rename one, or give each a `key`',
      'a.yaml:4:30: the name "A" is already used at a.yaml:2; rename one, or give each a `key`',
    ],
  ],
  [
    'two pages with the same slug',
    pages('name: P, slug: s'),
    pages('name: Q, slug: s'),
    ['b.yaml:2:22: the `slug` "s" is already used at a.yaml:2; give each status page its own'],
  ],
  [
    'two pages with the same domain, even in another spelling',
    pages('name: P, slug: p, customDomain: s.example.com', 'name: Q, slug: q, customDomain: S.Example.com'),
    undefined,
    ['a.yaml:3:39: the `customDomain` "s.example.com" is already used at a.yaml:2; give each status page its own'],
  ],
  ['two pages without a domain', pages('name: P, slug: p', 'name: Q, slug: q'), undefined, []],
  [
    'two windows with the same title and start',
    window('2090-01-01T00:00:00Z'),
    window('2090-01-01T00:00:00Z'),
    ['b.yaml:2:5: this maintenance window is already at a.yaml:2; remove one, or give it another start'],
  ],
  [
    'two windows with the same start in different time zones',
    window('2090-01-01T00:00:00Z'),
    window('2090-01-01T01:00:00+01:00'),
    ['b.yaml:2:5: this maintenance window is already at a.yaml:2; remove one, or give it another start'],
  ],
  ['two windows with different starts', window('2090-01-01T00:00:00Z'), window('2090-01-01T02:00:00Z'), []],
  [
    'an item that was renamed from an existing item',
    monitors('name: A, key: a', 'name: B, key: b, renamedFrom: a'),
    undefined,
    [
      'a.yaml:3:54: `renamedFrom` names the monitor at a.yaml:2, which is still in the manifest; remove that monitor, or `renamedFrom`',
    ],
  ],
  ['an item that was renamed from its own name', monitors('name: A, key: a, renamedFrom: A'), undefined, []],
  [
    'a name that a `forEach` repeats',
    'monitors:\n  - { forEach: [1, 2], name: A, type: heartbeat }\n',
    undefined,
    ['a.yaml:2:30: the name "A" is already used at a.yaml:2; rename one, or give each a `key`'],
  ],
])('repeatedItems returns the right faults for %s', (_, first, second, expected) => {
  expect(faults(first, second)).toEqual(expected);
});

function window(start: string): string {
  return `maintenance:\n  - { title: Move, scheduledStart: "${start}", scheduledEnd: "2090-01-03T00:00:00Z" }\n`;
}
