import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Document, isMap, isSeq, type Node, parseDocument, type YAMLMap } from 'yaml';
import { escaped, setScalar, setValue } from './set-value.ts';
import { commentsOf, moveComments, removePair, withComment } from './yaml-comments.ts';

const at = (document: Document, ...path: (string | number)[]) => document.getIn(path, true) as Node;
const written = (document: Document) => document.toString({ lineWidth: 0 });
const comments = (text: string) =>
  [...text.matchAll(/#(\d+)/g)].map(([, number]) => Number(number)).toSorted((a, b) => a - b);

describe('setValue replaces', () => {
  test.each<[string, string, (string | number)[], unknown, string]>([
    ['a number', 'a: 1 # why\n', ['a'], 2, 'a: 2 # why\n'],
    ['a hexadecimal number', 'a: 0x10\n', ['a'], 17, 'a: 17\n'],
    ['a quoted text', "a: 'x' # why\n", ['a'], 'y', "a: 'y' # why\n"],
    ['a text by a number', "a: 'x'\n", ['a'], 5, 'a: 5\n'],
    ['a text by nothing', 'a: "x"\n', ['a'], null, 'a: null\n'],
    ['a text of several lines', 'a: |\n  x\n  y\n', ['a'], 'z\nw\n', 'a: |\n  z\n  w\n'],
    ['a number with an anchor', 'a: &n 1\nb: *n\n', ['a'], 2, 'a: &n 2\nb: *n\n'],
    ['an entry of a list', '- 1 # one\n- 2\n', [0], 3, '- 3 # one\n- 2\n'],
    ['a list of one line', 'a: [x, y] # why\n', ['a'], ['z'], 'a: [ z ] # why\n'],
    ['a list of several lines', 'a:\n  - x # first\n  - y\n', ['a'], ['z'], 'a:\n  # first\n  - z\n'],
    ['a map of one line', 'a: { b: 1 }\n', ['a'], { c: 2 }, 'a: { c: 2 }\n'],
    ['a scalar by a list', 'a: 1 # why\n', ['a'], [1, 2], 'a:\n  - 1\n  - 2\n  # why\n'],
    ['a list by a scalar', 'a: [x] # why\n', ['a'], 'x', 'a: x # why\n'],
    ['a text that looks like a variable', 'a: x\n', ['a'], '${B}', 'a: $${B}\n'],
    ['texts in a list and a map', 'a: [x]\n', ['a'], ['$$', { b: '$$5' }], 'a: [ $$$$, { b: $$$$5 } ]\n'],
  ])('setValue replaces %s', (_, text, path, value, after) => {
    const document = parseDocument(text);
    setValue(document, at(document, ...path), value);
    expect(written(document)).toBe(after);
  });

  test('setScalar replaces any scalar by a value that is read again unchanged', () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));
    const spelling = fc.constantFrom('a: x', "a: 'x'", 'a: "x"', 'a: 0x1F', 'a: |\n  x', 'a: >-\n  x\n  y', 'a: ~');
    fc.assert(
      fc.property(spelling, value, (text, given) => {
        const document = parseDocument(text);
        setScalar(at(document, 'a') as never, given);
        expect(parseDocument(written(document)).toJS()).toEqual({ a: escaped(given) });
      }),
    );
  });
});

/** Returns YAML of nested maps and lists, with a numbered comment above and beside each entry. */
function commented(depth: number, width: number): string {
  let count = 0;
  const block = (left: number, indent: string): string =>
    Array.from({ length: width }, (_, i) => {
      const head = `${indent}# above #${++count}\n${indent}k${i}:`;
      if (left === 0) return `${head} v${i} # beside #${++count}\n`;
      const items = `${indent}  # list #${++count}\n${indent}  - x # item #${++count}\n`;
      return i % 2 === 0 ? `${head}\n${block(left - 1, `${indent}  `)}` : `${head}\n${items}`;
    }).join('');
  return block(depth, '');
}

describe('no comment is lost', () => {
  const shape = fc.tuple(fc.nat(2), fc.integer({ min: 2, max: 4 }), fc.nat(3));

  test('no comment is lost if an entry of a map is removed', () => {
    fc.assert(
      fc.property(shape, ([depth, width, which]) => {
        const text = commented(depth, width);
        const document = parseDocument(text);
        const map = document.contents as unknown as YAMLMap;
        removePair(map, map.items[which % width]!.key as Node);
        expect(comments(written(document))).toEqual(comments(text));
        expect(parseDocument(written(document)).toJS()).not.toHaveProperty(`k${which % width}`);
      }),
    );
  });

  test('no comment is lost if a value is replaced by another value', () => {
    fc.assert(
      fc.property(shape, fc.constantFrom<unknown>('new', 5, ['a', 'b'], { c: 1 }), ([depth, width, which], value) => {
        const text = commented(depth, width);
        const document = parseDocument(text);
        const pair = (document.contents as unknown as YAMLMap).items[which % width]!;
        pair.value = withComment(document.createNode(value), pair.value as Node);
        expect(comments(written(document))).toEqual(comments(text));
        expect((parseDocument(written(document)).toJS() as Record<string, unknown>)[`k${which % width}`]).toEqual(
          value,
        );
      }),
    );
  });

  test('no comment is lost if moveComments moves comments to the next node, or to the end of their parent', () => {
    const document = parseDocument('# own\na: 1\nb: [x] # end\n');
    const map = document.contents as unknown as YAMLMap;
    const [a, b] = map.items;
    moveComments([' one', ' two'], map, b!.key as Node);
    moveComments([' three'], map, undefined);
    moveComments([], map, a!.key as Node);
    expect(written(document)).toBe('# own\na: 1\n# one\n# two\nb: [ x ] # end\n# three\n');
  });

  test('no comment is lost when commentsOf collects the comments of a node and of everything in it', () => {
    const document = parseDocument('a: # one\n  # two\n  - x # three\n  # four\n  - { y: 1 } # five\n');
    const list = at(document, 'a');
    expect(isSeq(list) || isMap(list)).toBe(true);
    expect(commentsOf(document.contents).map((text) => text.trim())).toEqual(
      expect.arrayContaining(['three', 'four', 'five']),
    );
    expect(commentsOf(null, undefined)).toEqual([]);
  });
});
