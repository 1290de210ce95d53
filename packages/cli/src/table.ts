import { plain } from './output.ts';

export interface Column<T> {
  title: string;
  value: (row: T) => string;
  colour?: (row: T, text: string) => string;
  /** Whether this column is narrowed before the others if the table is too wide. */
  cut?: true;
}

/**
 * Renders rows below titles, in aligned columns. No line is wider than `maxWidth`, unless all columns already have the
 * smallest width.
 */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], maxWidth = Infinity): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => plain(column.value(row)))),
  ];
  const natural = columns.map((_, i) => Math.max(...cells.map((line) => width(line[i]!))));
  const widths = fit(natural, columns, maxWidth);
  const lines = cells.map((line, rowIndex) =>
    line
      .map((whole, i) => {
        const text = cutTo(whole, widths[i]!);
        const padded = i === line.length - 1 ? text : text + ' '.repeat(widths[i]! - width(text));
        const colour = columns[i]!.colour;
        return rowIndex > 0 && colour ? colour(rows[rowIndex - 1]!, padded) : padded;
      })
      .join(gap)
      .trimEnd(),
  );
  return lines.join('\n');
}

const gap = '  ';
/** The smallest width of a narrowed column. Narrower values would mean nothing to a reader. */
const minColumnWidth = 6;

/**
 * Returns the widths of the columns. Narrows the widest column again and again until the table fits: first among the
 * columns with `cut`, and then among the others.
 */
function fit(natural: readonly number[], columns: readonly Pick<Column<never>, 'cut'>[], maxWidth: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  while (total() > maxWidth) {
    const open = widths.flatMap((one, i) => (one > minColumnWidth ? [i] : []));
    const cuttable = open.filter((i) => columns[i]!.cut);
    const widest = (cuttable.length > 0 ? cuttable : open).toSorted((a, b) => widths[b]! - widths[a]!)[0];
    if (widest === undefined) break;
    widths[widest]!--;
  }
  return widths;
}

function cutTo(text: string, maxWidth: number): string {
  if (width(text) <= maxWidth) return text;
  let kept = '';
  let taken = 1;
  for (const char of text) {
    taken += width(char);
    if (taken > maxWidth) break;
    kept += char;
  }
  return `${kept}…`;
}

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
