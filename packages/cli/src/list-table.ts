import type { Io } from './io.ts';
import { type Column, table } from './table.ts';
import { relative } from './times.ts';

/** A column of a list. It defines what people see on a terminal, and what scripts read from a pipe. */
export interface ListColumn<T> extends Column<T> {
  /** Returns the text that a terminal shows in place of the value. */
  short?: (row: T) => string;
  /** On a terminal, the column is shown only with `--wide`. */
  wide?: true;
  /** The column is shown only on a terminal. So new columns do not change what scripts read from a pipe. */
  terminal?: true;
  /** If a line of the terminal has fewer characters than this, the column is shown only with `--wide`. */
  from?: number;
}

/**
 * Renders a list as a table. On a terminal, the table fits the width, and leaves out ids and empty columns; with
 * `--wide`, it has every column in full. In a pipe, it always has the same columns in full, so that scripts can rely on
 * them.
 */
export function listTable<T>(
  { stdout }: Pick<Io, 'stdout'> | { stdout: { isTTY?: boolean | undefined; columns?: number | undefined } },
  rows: readonly T[],
  columns: readonly ListColumn<T>[],
  wide = false,
): string {
  if (rows.length === 0) return '';
  if (!stdout.isTTY)
    return table(
      rows,
      columns.filter(({ terminal }) => !terminal),
    );
  const shown = columns
    .filter(({ wide: onlyWide, from = 0 }) => wide || (!onlyWide && from <= (stdout.columns || Infinity)))
    .map((column) => ({ ...column, value: column.short ?? column.value }))
    .filter(({ value }) => wide || rows.some((row) => !/^-?$/.test(value(row))));
  return table(rows, shown, wide ? undefined : stdout.columns || undefined);
}

/**
 * Returns a column of times (ISO 8601). On a terminal, the times are relative to `now`; elsewhere, they are unchanged.
 */
export const timeColumn = <T>(
  title: string,
  { read, none = '-', now }: { read: (row: T) => string | null | undefined; none?: string; now: number },
): ListColumn<T> => ({
  title,
  value: (row) => read(row) ?? none,
  short(row) {
    const time = read(row);
    return time == null ? none : relative(time, now);
  },
});
