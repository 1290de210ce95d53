import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growTree } from './grow-tree.ts';
import { mergeTrees, withoutRemoved } from './merge-trees.ts';
import { parseSource } from './parse.ts';
import { isMapTree, locate, type MapTree, valueOf } from './tree.ts';

function map(value: unknown): MapTree {
  const { documents } = parseSource({ name: 'm.yaml', text: JSON.stringify(value) });
  const { tree } = growTree(documents[0]!);
  if (!isMapTree(tree)) throw new Error('expected a map');
  return tree;
}

const merged = (below: unknown, above: unknown) => valueOf(withoutRemoved(mergeTrees(map(below), map(above))));

test.each<[string, unknown, unknown, unknown]>([
  ['a field of the upper layer replaces that of the lower layer', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
  ['maps merge entry by entry', { a: { x: 1, y: 2 } }, { a: { y: 3 } }, { a: { x: 1, y: 3 } }],
  ['null removes the field of the lower layer', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['null removes an entry of a map in the lower layer', { a: { x: 1, y: 2 } }, { a: { x: null } }, { a: { y: 2 } }],
  [
    'null stays if no layer below has the field, because null is then the value',
    { b: 1 },
    { a: null },
    { a: null, b: 1 },
  ],
  ['a list replaces a list', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['an empty list replaces a list', { a: [1] }, { a: [] }, { a: [] }],
  ['an empty map keeps the map of the lower layer', { a: { x: 1 } }, { a: {} }, { a: { x: 1 } }],
  ['a scalar replaces a map', { a: { x: 1 } }, { a: 5 }, { a: 5 }],
  ['a map replaces a scalar', { a: 5 }, { a: { x: 1 } }, { a: { x: 1 } }],
  ['an empty text and 0 are values, and replace other values', { a: 'x', b: 1 }, { a: '', b: 0 }, { a: '', b: 0 }],
])('%s', (_, below, above, expected) => {
  expect(merged(below, above)).toEqual(expected);
});

test('if two layers set a field to null, the field of a third layer below them is removed', () => {
  const layers = [
    { a: 1, b: { x: 1 } },
    { a: null, b: { x: null } },
    { a: null, b: { x: null } },
  ].map(map);
  expect(valueOf(withoutRemoved(layers.reduce(mergeTrees)))).toEqual({ b: {} });
  // The upper layers are merged first. Their null still has to remove the field of the lowest layer.
  const [low, ...upper] = layers;
  expect(valueOf(withoutRemoved(mergeTrees(low!, upper.reduce(mergeTrees))))).toEqual({ b: {} });
});

describe('any two maps', () => {
  const scalar = fc.constantFrom<unknown>(1, 'x', true, []);
  const field = fc.constantFrom('a', 'b', 'c');
  const entries = fc.dictionary(field, scalar);
  const some = fc.dictionary(field, fc.oneof(scalar, entries));
  /** Generates maps that are alike, as in a manifest: a field is a map in every layer, or in none. */
  const alike = fc.record({ a: scalar, b: scalar, map: entries, more: entries }, { requiredKeys: [] });

  test('a merge with itself or with an empty map does not change a map', () => {
    fc.assert(
      fc.property(some, (one) => {
        expect(merged(one, one)).toEqual(one);
        expect(merged({}, one)).toEqual(one);
        expect(merged(one, {})).toEqual(one);
      }),
    );
  });

  test('a merge of three maps gives the same result, whichever two of them are merged first', () => {
    fc.assert(
      fc.property(alike, alike, alike, (a, b, c) => {
        const [low, middle, high] = [map(a), map(b), map(c)];
        const left = mergeTrees(mergeTrees(low, middle), high);
        const right = mergeTrees(low, mergeTrees(middle, high));
        expect(valueOf(left)).toEqual(valueOf(right));
      }),
    );
  });
});

test('after a merge, each value keeps its place in the map that it came from', () => {
  const below = map({ a: 1, b: { x: 1, y: 2 } });
  const above = map({ b: { y: 3 } });
  const both = mergeTrees(below, above);
  const from = (path: string) =>
    locate(both, path).tree.origin.document === above.origin.document ? 'above' : 'below';
  expect(['', 'a', 'b', 'b.x', 'b.y'].map(from)).toEqual(['above', 'below', 'above', 'below', 'above']);
});
