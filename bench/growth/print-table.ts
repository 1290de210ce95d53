import { dueRate, nameOf } from './load.ts';
import type { Growth } from './measure-load.ts';

/** Prints one row for each load. A dash stands for a figure that this system does not report. */
export function printTable(rows: readonly Growth[]): void {
  const whole = (value: number | null, unit = '') =>
    value === null || Number.isNaN(value) ? '-' : `${Math.round(value).toLocaleString('en')}${unit}`;
  const cells = rows.map((row) => [
    nameOf(row.load),
    `${whole(row.storedPerSecond)} of ${whole(dueRate(row.load))}`,
    `${whole(row.checkMicros - row.bareMicros)} (${whole(row.checkMicros)} - ${whole(row.bareMicros)})`,
    whole(row.databaseMicros),
    whole(1e6 / (row.checkMicros + (row.databaseMicros ?? 0))),
    `${whole(row.late.p50)} / ${whole(row.late.p99)} / ${whole(row.late.max)}`,
    whole(row.writtenBytes),
    `${whole(row.rssBytes / 1e6)} (${whole(row.heapUsedBytes / 1e6)} + ${whole(row.externalBytes / 1e6)})`,
    whole(row.longestTurnMs),
    `${whole(row.caughtUp * 100)} %`,
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n'));
}

const head = [
  'monitors @ interval',
  'checks/s of due',
  'CPU µs beyond bare (check - bare)',
  'database µs',
  'checks a CPU s',
  'late ms p50 / p99 / max',
  'written B',
  'RSS MB (heap + external)',
  'longest turn ms',
  'caught up',
];
