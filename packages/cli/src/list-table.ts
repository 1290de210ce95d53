import type { Io } from './io.ts';
import { type Column, table } from './table.ts';
import { relative } from './times.ts';

/** A column of a list that a person may read on a terminal, or a script from a pipe. */
export interface ListColumn<T> extends Column<T> {
  /** What a terminal shows in place of the value. */
  short?: (row: T) => string;
  /** On a terminal, shown with `--wide` alone. */
  wide?: true;
  /** Shown on a terminal alone: what a pipe carries stays as it is. */
  terminal?: true;
}

/**
 * A list as a table. On a terminal it fits the width, without ids and empty columns; with `--wide` every column is shown and none
 * is cut. Anywhere else it holds all columns in full, the same from version to version.
 */
export function listTable<T>(
  { stdout }: Pick<Io, 'stdout'>,
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
    .filter((column) => wide || !column.wide)
    .map((column) => ({ ...column, value: column.short ?? column.value }))
    .filter(({ value }) => wide || rows.some((row) => !/^-?$/.test(value(row))));
  return table(rows, shown, wide ? undefined : stdout.columns || undefined);
}

/** A column of times (ISO 8601): on a terminal as seen from now, elsewhere as they are. */
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
