import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Remote } from '../kinds/kind.ts';
import { formatDiagnostic } from './diagnostic.ts';
import { wantedFrom } from './item.ts';
import { danglingReferences, lookupIn, type Target } from './references.ts';
import { validateManifests } from './validate.ts';

const { monitor } = kinds;
const own = (name: string, key: string | null = null, labels: Record<string, string> = {}): Target => ({
  key,
  name,
  wanted: wantedFrom(monitor, { key, name, labels }),
  current: null,
});
const onServer = (name: string, key: string | null = null, labels: Record<string, string> = {}): Target => {
  const current: Remote & { labels: object } = { id: `mon_${name}`, key, name, labels };
  return { key, name, wanted: null, current };
};

describe('a reference by a word', () => {
  const found = (word: string, ...targets: Target[]) => {
    const answer = lookupIn(targets, monitor).find(word);
    if ('fault' in answer) return answer.fault;
    const { name, key, wanted } = answer.target;
    return `${wanted ? 'own' : 'server'} ${name} ${key ?? '-'}`;
  };

  test.each<[string, string, Target[], string]>([
    [
      'finds an item by its key rather than another item by its name',
      'shop',
      [own('shop'), own('Other', 'shop')],
      'own Other shop',
    ],
    ['may use the name of an item, even if the item has a key', 'Shop', [own('Shop', 's')], 'own Shop s'],
    [
      'finds an item of the manifest rather than a resource of the server',
      'Shop',
      [onServer('Shop', 'old'), own('Shop')],
      'own Shop -',
    ],
    ['finds a resource of the server if no item has that key or name', 'Shop', [onServer('Shop')], 'server Shop -'],
    [
      'finds a resource of the server by its key rather than an item by its name',
      'shop',
      [own('shop'), onServer('X', 'shop')],
      'server X shop',
    ],
    [
      'distinguishes capitals and small letters',
      'SHOP',
      [own('Shop')],
      'no monitor has the key or name "SHOP"; did you mean "Shop"?',
    ],
    [
      'named like an inherited property finds nothing',
      'constructor',
      [own('Shop')],
      'no monitor has the key or name "constructor"',
    ],
    ['that is empty finds nothing', '', [own('Shop')], 'no monitor has the key or name ""'],
    [
      'with the name of two items is ambiguous',
      'Shop',
      [own('Shop', 'a'), own('Shop', 'b')],
      '2 monitors are named "Shop"; give each a `key`, and refer to one by its key',
    ],
    [
      'with the name of two resources of the server is ambiguous',
      'Shop',
      [onServer('Shop'), onServer('Shop')],
      '2 monitors are named "Shop"; give each a `key`, and refer to one by its key',
    ],
    [
      'is shown without control characters in the message of its fault',
      'a\u001b[2J\n',
      [own('Shop')],
      'no monitor has the key or name "a\uFFFD"',
    ],
  ])('a reference %s', (_, word, targets, expected) => {
    expect(found(word, ...targets)).toBe(expected);
  });
});

describe('labels', () => {
  const select = (labels: Record<string, string>, ...targets: Target[]) =>
    lookupIn(targets, monitor)
      .withLabels(labels)
      .map(({ name }) => name);
  const all = [
    own('a', null, { team: 'x' }),
    own('b', null, { team: 'x', tier: '1' }),
    own('c', null, { team: 'y' }),
    own('d'),
  ];

  test.each<[string, Record<string, string>, Target[], string[]]>([
    ['select each item that has all of them', { team: 'x' }, all, ['a', 'b']],
    ['select an item only if all of them match', { team: 'x', tier: '1' }, all, ['b']],
    ['with another value select nothing', { team: 'X' }, all, []],
    ['named like an inherited property, such as `constructor`, select nothing', { constructor: 'x' }, all, []],
    [
      'select items of the server only if the manifest lists none',
      { team: 'x' },
      [onServer('s', null, { team: 'x' })],
      ['s'],
    ],
    [
      'select no resources of the server if the manifest lists items',
      { team: 'x' },
      [...all, onServer('s', null, { team: 'x' })],
      ['a', 'b'],
    ],
  ])('labels %s', (_, labels, targets, names) => {
    expect(select(labels, ...targets)).toEqual(names);
  });
});

describe('references that lead nowhere', () => {
  const text = `monitors:
  - { name: Shop, type: heartbeat }
channels:
  - { key: ops, name: Ops, type: email, config: { address: a@example.com } }
alertRules:
  - { name: Down, monitors: [Shop, Shp], channels: [ops, Night] }
maintenance:
  - { title: Past, scheduledStart: 2020-01-01T00:00:00Z, scheduledEnd: 2020-01-02T00:00:00Z, monitors: [Gone] }
  - { title: Next, scheduledStart: 2090-01-01T00:00:00Z, scheduledEnd: 2090-01-02T00:00:00Z, monitors: [Gone] }
`;
  const now = Date.parse('2026-01-01T00:00:00Z');
  const read = () => validateManifests([{ name: 'm.yaml', text }], {}, now);
  const remote = (name: string): Remote => ({ id: `x_${name}`, key: null, name });

  test('references that lead nowhere are faults at their places, except in a window that is over', () => {
    expect(read().dangling.map(formatDiagnostic)).toEqual([
      'm.yaml:6:36: no monitor has the key or name "Shp"; did you mean "Shop"?',
      'm.yaml:6:58: no channel has the key or name "Night"',
      'm.yaml:9:105: no monitor has the key or name "Gone"',
    ]);
  });

  test('references to an object outside of the manifest are accepted if the server has this object', () => {
    const { items } = read();
    const remotes = new Map([
      [monitor, [remote('Shp'), remote('Gone')]],
      [kinds.channel, [remote('Night')]],
    ]);
    expect(danglingReferences(items, [monitor, kinds.channel], now, remotes)).toEqual([]);
  });

  test('references that lead nowhere are not reported if the items of the kind could not all be read', () => {
    const { items } = read();
    expect(danglingReferences(items, [], now)).toEqual([]);
    expect(danglingReferences(items, [kinds.channel], now).map(({ message }) => message)).toEqual([
      'no channel has the key or name "Night"',
    ]);
  });
});
