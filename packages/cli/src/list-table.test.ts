import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type ListColumn, listTable, timeColumn } from './list-table.ts';

interface Box {
  name: string;
  note: string;
  at: string | null;
}

const now = Date.parse('2030-01-01T12:00:00Z');
const boxes: readonly Box[] = [
  { name: 'large', note: '', at: '2030-01-01T11:59:00Z' },
  { name: 'small', note: '-', at: null },
];
const columns: readonly ListColumn<Box>[] = [
  { title: 'NAME', value: ({ name }) => name, short: ({ name }) => name[0]! },
  { title: 'NOTE', value: ({ note }) => note },
  timeColumn('AT', { read: ({ at }) => at, none: 'never', now }),
  { title: 'BAR', value: () => '###', terminal: true },
  { title: 'ID', value: ({ name }) => `id_${name}`, wide: true },
];

const pipe = { stdout: new PassThrough() };
const terminal = (width: number) => ({ stdout: Object.assign(new PassThrough(), { isTTY: true, columns: width }) });

test('in a pipe, a table has all columns in full, even empty columns, except the columns that are only for terminals', () => {
  expect(listTable(pipe, boxes, columns)).toBe(
    [
      'NAME   NOTE  AT                    ID',
      'large        2030-01-01T11:59:00Z  id_large',
      'small  -     never                 id_small',
    ].join('\n'),
  );
});

test('--wide has no effect in a pipe', () => {
  expect(listTable(pipe, boxes, columns, true)).toBe(listTable(pipe, boxes, columns));
});

test('on a terminal, a table has short values, relative times, and no empty columns', () => {
  expect(listTable(terminal(80), boxes, columns)).toBe(
    ['NAME  AT         BAR', 'l     1 min ago  ###', 's     never      ###'].join('\n'),
  );
});

test('on a narrow terminal, a table leaves out columns that need a wider terminal', () => {
  const wanting = columns.map((column) => (column.title === 'BAR' ? { ...column, from: 60 } : column));
  expect(listTable(terminal(60), boxes, wanting)).toContain('BAR');
  expect(listTable(terminal(59), boxes, wanting)).not.toContain('BAR');
  expect(listTable(terminal(59), boxes, wanting, true)).toContain('BAR');
});

test('on a terminal with --wide, a table has every column, and no value is shortened', () => {
  const shown = listTable(terminal(10), boxes, columns, true);
  expect(shown.split('\n')[0]).toBe('NAME  NOTE  AT         BAR  ID');
  expect(shown).toContain('id_large');
});

test('without --wide, no line of a table is wider than the terminal', () => {
  const long: readonly Box[] = [{ name: 'x'.repeat(50), note: 'y'.repeat(50), at: null }];
  const whole = columns.map(({ title, value }) => ({ title, value }));
  for (const line of listTable(terminal(40), long, whole).split('\n')) expect(line.length).toBeLessThanOrEqual(40);
});

test('a table without rows is an empty text, without titles', () => {
  expect(listTable(pipe, [], columns)).toBe('');
  expect(listTable(terminal(80), [], columns, true)).toBe('');
});

test('on a terminal that does not report its width, no value is shortened', () => {
  const long: readonly Box[] = [{ name: 'x', note: 'y'.repeat(300), at: null }];
  expect(listTable(terminal(0), long, columns)).toContain('y'.repeat(300));
});
