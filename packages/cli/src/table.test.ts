import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { listTable, type ListColumn } from './list-table.ts';
import { table } from './table.ts';

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

test('a table on a terminal fits its width, and leaves out ids and empty columns', () => {
  const lines = stripVTControlCharacters(listTable(terminal(30), rows, columns)).split('\n');
  expect(lines).toEqual(['STATUS  NAME', 'down    A shop with a name as…', 'up      短い名前']);
});

test('--wide shows every column, uncut', () => {
  const text = listTable(terminal(30), rows, columns, true);
  expect(text).toContain('and longer');
  expect(text).toContain('mon_01');
});

test('a pipe gets every column uncut', () => {
  expect(listTable({ stdout: {} }, rows, columns)).toBe(table(rows, columns));
});

test('other columns are cut only once the `cut` columns have the least width', () => {
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
