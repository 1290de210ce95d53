import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listTable, type ListColumn } from './list-table.ts';
import { plain } from './output.ts';
import { type Column, table } from './table.ts';

const rows = [
  { name: 'A shop with a name as long as names may be, and longer', status: 'down', id: 'mon_01' },
  { name: '短い名前', status: 'up', id: 'mon_02' },
];
const columns: ListColumn<(typeof rows)[number]>[] = [
  { title: 'STATUS', value: ({ status }) => status, colour: (_, text) => `\u001b[31m${text}\u001b[39m` },
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'NOTE', value: () => '-' },
  { title: 'ID', value: ({ id }) => id, wide: true },
];
const terminal = (width: number) => ({ stdout: { isTTY: true, columns: width } as never });

test('on a terminal, a list fits the width, and leaves out ids and empty columns', () => {
  const lines = stripVTControlCharacters(listTable(terminal(30), rows, columns)).split('\n');
  expect(lines).toEqual(['STATUS  NAME', 'down    A shop with a name as…', 'up      短い名前']);
});

test('with --wide, a list has every column, and no value is shortened', () => {
  const text = listTable(terminal(30), rows, columns, true);
  expect(text).toContain('and longer');
  expect(text).toContain('mon_01');
});

test('in a pipe, a list has every column, and no value is shortened', () => {
  expect(listTable({ stdout: {} }, rows, columns)).toBe(table(rows, columns));
});

test('columns without `cut` become narrower only when the columns with `cut` already have the smallest width', () => {
  const wide = [{ a: 'x'.repeat(50), b: 'y'.repeat(50) }];
  const text = table(
    wide,
    [
      { title: 'A', value: ({ a }) => a },
      { title: 'B', value: ({ b }) => b, cut: true },
    ],
    40,
  );
  expect(text.split('\n')[1]).toBe(`${'x'.repeat(31)}…  ${'y'.repeat(5)}…`);
});

const char = fc.constantFrom('a', 'B', '短', '😀', 'e\u0301', '-', ' ', '\n', '\u001b[31m');
const anyText = fc.array(char, { maxLength: 20 }).map((chars) => chars.join(''));
/** Returns the number of terminal columns that a text occupies: two for a wide character, none for a combining mark. */
const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, one) => sum + (/\p{Mn}/u.test(one) ? 0 : /[短😀]/u.test(one) ? 2 : 1), 0);

/** Returns the part of a line that begins at a column of the terminal. */
function from(line: string, column: number): string {
  const chars = Array.from(line);
  let at = 0;
  while (chars.length > 0 && (at < column || /\p{Mn}/u.test(chars[0]!))) at += widthOf(chars.shift()!);
  return chars.join('');
}

/** Generates tables of random texts. Some of their columns have `cut`. */
const anyTable = fc
  .record({ rows: fc.integer({ min: 0, max: 4 }), cuts: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }) })
  .chain(({ rows: count, cuts }) =>
    fc.record({
      cells: fc.array(fc.tuple(...cuts.map(() => anyText)), { minLength: count, maxLength: count }),
      titles: fc.tuple(...cuts.map(() => fc.constantFrom('A', 'NAME', 'A LONG TITLE'))),
      cuts: fc.constant(cuts),
    }),
  );
const columnsOf = (titles: readonly string[], cuts: readonly boolean[]): Column<string[]>[] =>
  titles.map((title, i) => ({ title, value: (row) => row[i]!, ...(cuts[i] && { cut: true }) }));

test('a table has a line for each row, and no line is too wide unless all columns have the smallest width', () => {
  fc.assert(
    fc.property(anyTable, fc.integer({ min: 1, max: 100 }), ({ cells, titles, cuts }, maxWidth) => {
      const lines = table(cells, columnsOf(titles, cuts), maxWidth).split('\n');
      expect(lines).toHaveLength(cells.length + 1);
      const minWidth = cuts.length * 6 + 2 * (cuts.length - 1);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(maxWidth, minWidth));
    }),
  );
});

test('a table that is not too wide shows every cell in full, and aligns its columns', () => {
  fc.assert(
    fc.property(anyTable, ({ cells, titles, cuts }) => {
      const named = titles.map((title, i) => `${i}${title}`);
      const [head, ...lines] = table(cells, columnsOf(named, cuts)).split('\n');
      const starts = named.map((title) => head!.indexOf(title));
      for (const [i, line] of lines.entries()) {
        expect(line.trimEnd()).toBe(line);
        for (const [column, cell] of cells[i]!.entries()) {
          expect(from(line, starts[column]!).startsWith(plain(cell).trimEnd())).toBe(true);
        }
      }
    }),
  );
});

test('colours do not change the width of a column', () => {
  const coloured = columns.map((column) => ({
    ...column,
    colour: (_: unknown, text: string) => `\u001b[1m${text}\u001b[22m`,
  }));
  for (const maxWidth of [20, 40, 200]) {
    const bare = columns.map(({ title, value, cut }) => ({ title, value, ...(cut && { cut }) }));
    const seen = stripVTControlCharacters(table(rows, coloured, maxWidth)).split('\n');
    expect(seen.map((line) => line.trimEnd())).toEqual(table(rows, bare, maxWidth).split('\n'));
  }
});
