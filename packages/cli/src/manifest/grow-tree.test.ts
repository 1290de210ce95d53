import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { formatDiagnostic } from './diagnostic.ts';
import { growTree } from './grow-tree.ts';
import { parseSource } from './parse.ts';
import { locate, pathsWhere, valueOf } from './tree.ts';

function grow(text: string) {
  const { documents, faults } = parseSource({ name: 'm.yaml', text });
  expect(faults).toEqual([]);
  const { tree, faults: grown } = growTree(documents[0]!);
  return { tree: tree!, value: tree && valueOf(tree), faults: grown.map(formatDiagnostic) };
}

describe('the value of the tree of a document', () => {
  test.each<[string, string, unknown]>([
    ['contains the value of the anchor in place of an alias', 'a: &x [1, 2]\nb: *x', { a: [1, 2], b: [1, 2] }],
    [
      'contains the value of the latest anchor if several anchors have the same name',
      'a: &x 1\nb: *x\nc: &x 2\nd: *x',
      { a: 1, b: 1, c: 2, d: 2 },
    ],
    [
      'contains the fields of a merged map, unless the map itself has these fields',
      'a: &x { p: 1, q: 2 }\nb: { <<: *x, q: 3 }',
      { a: { p: 1, q: 2 }, b: { q: 3, p: 1 } },
    ],
    [
      'keeps a field of the map itself even if the merge key comes last',
      'a: &x { p: 1 }\nb: { p: 2, <<: *x }',
      { a: { p: 1 }, b: { p: 2 } },
    ],
    [
      'contains the value of the first map if several merged maps have the same field',
      'a: &x { p: 1 }\nb: &y { p: 2, q: 3 }\nc: { <<: [*x, *y] }',
      { a: { p: 1 }, b: { p: 2, q: 3 }, c: { p: 1, q: 3 } },
    ],
    ['contains a quoted << as an ordinary key', 'a: { "<<": 1 }', { a: { '<<': 1 } }],
    ['may have a number, null or a boolean as a key', '1: a\nnull: b\ntrue: c', { 1: 'a', null: 'b', true: 'c' }],
    ['is null where a value is missing', 'a:\nb: ~\nc: []', { a: null, b: null, c: [] }],
    [
      'contains literal and folded texts of several lines as YAML defines them',
      'a: |\n  x\n  y\nb: >-\n  x\n  y',
      { a: 'x\ny\n', b: 'x y' },
    ],
    [
      'contains the name of an inherited property, such as `constructor`, as an ordinary key',
      'constructor: 1\n__proto__: 2',
      JSON.parse('{"constructor":1,"__proto__":2}'),
    ],
    [
      'contains numbers as YAML 1.2 defines them',
      'a: 0o17\nb: 0x1f\nc: 1e3\nd: 017\ne: yes\nf: 1_000',
      { a: 15, b: 31, c: 1000, d: 17, e: 'yes', f: '1_000' },
    ],
  ])('the value of a document %s', (_, text, value) => {
    expect(grow(text)).toMatchObject({ value, faults: [] });
  });

  test('the value of a document equals the value that the YAML library itself reads, for any document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = stringify({ value }, { aliasDuplicateObjects: true });
        expect(grow(text).value).toEqual(parse(text));
      }),
      { numRuns: 150 },
    );
  });
});

test.each<[string, string, string[]]>([
  ['an alias of itself', 'a: &x [1, *x]', ['m.yaml:1:11: the alias `*x` contains itself; write the value out']],
  ['an alias before its anchor', 'a: *x\nb: &x 1', ['m.yaml:1:4: the alias `*x` has no anchor: set `&x` before it']],
  [
    'a key that appears twice',
    'a: 1\nb: 2\na: 3',
    ['m.yaml:3:1: this key appears twice in one map; remove one of them'],
  ],
  ['a merge of a list of texts', 'a: { <<: [x, y] }', ['m.yaml:1:6: `<<` must be followed by the alias of a map']],
  ['a merge of an unknown alias', 'a: { <<: *x }', ['m.yaml:1:10: the alias `*x` has no anchor: set `&x` before it']],
])('growTree reports %s as a fault at its place', (_, text, faults) => {
  expect(grow(text).faults).toEqual(faults);
});

test('an alias that cannot be read does not affect other parts of the tree', () => {
  const { tree } = grow('a: { b: [*x] }\nc: { d: 1 }\ne: { <<: *x, f: 1 }');
  const lost = ['', 'a', 'a.b', 'a.b.0', 'c', 'c.d', 'e'].filter((path) => locate(tree, path).tree.lost);
  expect(lost).toEqual(['', 'a', 'a.b', 'a.b.0', 'e']);
});

describe('a path', () => {
  const { tree } = grow('labels: { team.name: x, team: { name: y }, "": z }\nregions: [eu, us]\nlist: [{ a: 1 }]');

  test.each<[string, unknown, boolean]>([
    ['labels.team.name', 'x', true],
    ['labels.team', { name: 'y' }, true],
    ['labels.', 'z', true],
    ['regions.1', 'us', true],
    ['list.0.a', 1, true],
    ['', { labels: { 'team.name': 'x', team: { name: 'y' }, '': 'z' }, regions: ['eu', 'us'], list: [{ a: 1 }] }, true],
    ['regions.2', ['eu', 'us'], false],
    ['regions.length', ['eu', 'us'], false],
    ['regions.-1', ['eu', 'us'], false],
    ['regions.0.x', 'eu', false],
    ['labels.tier', { 'team.name': 'x', team: { name: 'y' }, '': 'z' }, false],
    ['constructor', { labels: expect.anything(), regions: ['eu', 'us'], list: [{ a: 1 }] }, false],
  ])('the path %j leads to the deepest existing value on that path', (path, value, found) => {
    const at = locate(tree, path);
    expect([valueOf(at.tree), at.found]).toEqual([value, found]);
  });

  test('the path of any scalar leads to that scalar', () => {
    const names = fc.stringMatching(/^[a-z]{1,3}$/);
    const values = fc.object({ key: names, maxDepth: 3, values: [fc.integer(), fc.constant('t')] });
    fc.assert(
      fc.property(values, (value) => {
        const { tree: any } = grow(JSON.stringify({ value }));
        for (const path of pathsWhere(any, () => true))
          expect(locate(any, path)).toMatchObject({ found: true, tree: { is: 'leaf' } });
      }),
      { numRuns: 60 },
    );
  });
});
