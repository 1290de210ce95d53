import { stripVTControlCharacters } from 'node:util';
import type { Io } from './io.ts';

export const formats = ['table', 'json', 'yaml'] as const;
export type Format = (typeof formats)[number];

export interface Column<T> {
  title: string;
  value: (row: T) => string;
  colour?: (row: T, text: string) => string;
}

/** Prints data: as a table for people, as JSON or YAML for programs. */
export async function output(io: Io, format: Format, data: unknown, table: () => string): Promise<void> {
  if (format === 'json') io.print(escapeControls(JSON.stringify(data, null, 2)));
  else if (format === 'yaml') {
    const { yamlText } = await import('./yaml-text.ts');
    io.print(escapeControls(yamlText(data)).trimEnd());
  } else {
    const text = table();
    if (text !== '') io.print(text);
  }
}

/** JSON or YAML that moves no cursor: both leave DEL and the control characters after it as they are, within quotes. */
export const escapeControls = (text: string): string =>
  text.replace(/[\u007f-\u009f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Rows under titles, columns aligned; the last column is left ragged. */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => plain(column.value(row)))),
  ];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => width(line[i]!))));
  const lines = cells.map((line, rowIndex) =>
    line
      .map((text, i) => {
        const padded = i === line.length - 1 ? text : text + ' '.repeat(widths[i]! - width(text));
        const colour = columns[i]!.colour;
        return rowIndex > 0 && colour ? colour(rows[rowIndex - 1]!, padded) : padded;
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** `name: value` lines, values aligned. */
export function pairs(entries: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...entries.map(([title]) => title.length));
  return entries.map(([title, value]) => `${`${title}:`.padEnd(widest + 2)}${plain(value)}`.trimEnd()).join('\n');
}

/** Text from a server or a file, safe for a terminal: no control characters, one line. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replace(/[\p{Cc}\u2028\u2029]/gu, (char) => (char === '\t' ? ' ' : '\uFFFD'));

const width = (text: string): number =>
  Array.from(text).reduce(
    (sum, char) =>
      sum +
      (/\p{Mn}/u.test(char)
        ? 0
        : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
              char,
            )
          ? 2
          : 1),
    0,
  );
