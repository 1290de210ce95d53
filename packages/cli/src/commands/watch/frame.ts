import type { Monitor } from '@uptime/sdk';
import { isPassive } from '@uptime/sdk/contract';
import type { ChalkInstance } from 'chalk';
import { byStatus, countStatuses, shownCounts } from '../../nouns/monitors/count-statuses.ts';
import { statusColour } from '../../nouns/monitors/status-colour.ts';
import { plain } from '../../output.ts';
import { type Column, table } from '../../table.ts';
import { duration, relative } from '../../times.ts';
import { sparkline } from './sparkline.ts';

/** The content of one frame. */
export interface Frame {
  monitors: readonly Monitor[];
  /** Response times for each monitor id, oldest first; null for a failed check. */
  trends: ReadonlyMap<string, readonly (number | null)[]>;
  /** Why the last read of the server failed; null if it succeeded. */
  failed: string | null;
  /** When the frame is drawn, in epoch milliseconds. */
  now: number;
}

/**
 * The number of lines in a frame besides the lines of the monitors: counts, an empty line, titles, and the number of
 * monitors left out.
 */
const otherLines = 4;

/** Returns the number of monitors that fit on a screen. */
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
  // Before the first successful read, there are no counts.
  const summary = failed !== null && monitors.length === 0 ? [] : [counts.join(', ')];
  const head = [...summary, ...(failed === null ? [] : [plain(failed)])].join('  ');
  return [
    cut(head, columns),
    '',
    ...table(rows, columnsOf(trends, now, paint, columns), columns).split('\n'),
    ...(more > 0 ? [cut(`and ${more} more; --label shows fewer`, columns)] : []),
  ].slice(0, lines);
}

const cut = (text: string, maxCharacters: number): string => Array.from(text).slice(0, maxCharacters).join('');

/** The smallest width of a column, in characters. */
const minColumnWidth = 8;

/** Returns as many columns as fit a width, the most important first. */
const columnsOf = (trends: Frame['trends'], now: number, paint: ChalkInstance, width: number): Column<Monitor>[] =>
  allColumns(trends, now, paint, width >= 100 ? 40 : 20).slice(
    0,
    Math.max(1, Math.floor((width + 2) / minColumnWidth)),
  );

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
