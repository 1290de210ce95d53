import type { Monitor } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import type { ChalkInstance } from 'chalk';
import { byStatus, countStatuses, shownCounts } from '../../nouns/count-statuses.ts';
import { statusColour } from '../../nouns/status-colour.ts';
import { plain } from '../../output.ts';
import { type Column, table } from '../../table.ts';
import { duration, relative } from '../../times.ts';
import { sparkline } from './sparkline.ts';

/** Everything that one frame shows. */
export interface Frame {
  monitors: readonly Monitor[];
  /** Response times by the id of a monitor, oldest first; null for a failed check. */
  trends: ReadonlyMap<string, readonly (number | null)[]>;
  /** Why the server could not be read; null if it could. */
  failed: string | null;
  /** Epoch milliseconds. */
  now: number;
}

/** Lines of a frame that show no monitor: counts, an empty line, titles, and the number of monitors left out. */
const otherLines = 4;

/** The number of monitors that fit on a screen. */
export const rowsOf = (lines: number): number => Math.max(1, lines - otherLines);

/** Renders a frame that fits a screen of the given size: at most `lines` lines, each at most `columns` wide. */
export function renderFrame(
  { monitors, trends, failed, now }: Frame,
  { columns, lines }: { columns: number; lines: number },
  paint: ChalkInstance,
): string[] {
  const counts = shownCounts(countStatuses(monitors)).map(([status, count]) => `${count} ${plain(status)}`);
  const rows = byStatus(monitors).slice(0, rowsOf(lines));
  const more = monitors.length - rows.length;
  // Before the first answer there are no counts.
  const summary = failed !== null && monitors.length === 0 ? [] : [counts.join(', ')];
  const head = [...summary, ...(failed === null ? [] : [plain(failed)])].join('  ');
  return [
    cut(head, columns),
    '',
    ...table(rows, columnsOf(trends, now, paint, columns), columns).split('\n'),
    ...(more > 0 ? [cut(`and ${more} more; --label shows fewer`, columns)] : []),
  ].slice(0, lines);
}

const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** The least width that a table needs for each of its columns. */
const leastColumn = 8;

/** Returns the columns that fit a width, the most important first. */
const columnsOf = (trends: Frame['trends'], now: number, paint: ChalkInstance, width: number): Column<Monitor>[] =>
  allColumns(trends, now, paint, width >= 100 ? 40 : 20).slice(0, Math.max(1, Math.floor((width + 2) / leastColumn)));

const allColumns = (
  trends: Frame['trends'],
  now: number,
  paint: ChalkInstance,
  trendWidth: number,
): Column<Monitor>[] => [
  {
    title: 'STATUS',
    value: ({ status }) => status,
    colour: ({ status }, text) => statusColour(paint, status)(text),
  },
  { title: 'NAME', value: ({ name }) => name, cut: true },
  {
    title: 'CHECKED',
    value(monitor) {
      const time = isPassive(monitor) ? monitor.lastPingAt : monitor.lastCheckedAt;
      return time == null ? 'never' : relative(time, now);
    },
  },
  {
    title: 'TOOK',
    value({ id }) {
      const last = trends.get(id)?.at(-1);
      return last == null ? '-' : duration(last);
    },
  },
  { title: 'RESPONSE TIMES', value: ({ id }) => sparkline(trends.get(id) ?? [], trendWidth) },
];
