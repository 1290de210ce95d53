import type { Measurement } from '../measurement.ts';
import { dueRate, isSaturated, nameOf } from './load.ts';
import type { Growth } from './measure-load.ts';

/** Returns the measurements of all rows, with their limits. */
export const barsOfAll = (rows: readonly Growth[]): Measurement[] => [
  // With slow answers, a daemon has no free slots, so checks are late. Such a load is only used to compare the rate of
  // several daemons with that of one daemon.
  ...rows
    .filter(({ load }) => load.answerMs === 0)
    .flatMap((row) => (isSaturated(row.load) ? barsOfSaturated(row) : barsOf(row))),
  ...rows.filter(({ load }) => load.answerMs > 0 && load.daemons > 1).flatMap((row) => barOfNodes(row, rows)),
];

/** Compares several daemons with one daemon, if the same load was measured with one daemon. */
function barOfNodes(row: Growth, rows: readonly Growth[]): Measurement[] {
  const { daemons } = row.load;
  const single = rows.find(({ load }) => nameOf(load) === nameOf({ ...row.load, daemons: 1 }));
  if (single === undefined) return [];
  return [
    {
      name: `${nameOf(row.load)}: checks a second against one daemon`,
      value: row.storedPerSecond / single.storedPerSecond,
      unit: '',
      bar: { minValue: 0.9 * daemons },
      detail: `${row.storedPerSecond.toFixed(0)} against ${single.storedPerSecond.toFixed(0)} a second`,
    },
  ];
}

/** With more due checks than a daemon can do, checks are late. So these limits concern only the rate and the loop. */
const barsOfSaturated = (row: Growth): Measurement[] => [
  {
    name: `${nameOf(row.load)}: stored checks of a second of processor time`,
    value: 1e6 / row.checkMicros,
    unit: '',
    bar: { minValue: 4000 },
    detail: `${row.checkMicros.toFixed(0)} µs a check, bare request ${row.bareMicros.toFixed(0)} µs`,
  },
  longestTurn(row),
];

const longestTurn = (row: Growth): Measurement => ({
  name: `${nameOf(row.load)}: longest turn of the event loop`,
  value: row.longestTurnMs,
  unit: 'ms of processor time',
  bar: { maxValue: 50 },
  detail: 'up to 10 ms too high, because it is read every 10 ms',
});

/**
 * Returns the measurements of a row. The more checks run in a second, the more work they share. So the limit of the
 * cost of a check is lower at a higher rate.
 */
function barsOf(row: Growth): Measurement[] {
  const { load } = row;
  const [due, name] = [dueRate(load), nameOf(load)];
  const bars: Measurement[] = [
    {
      name: `${name}: share of due checks that are stored`,
      value: row.storedPerSecond / due,
      unit: '',
      bar: { minValue: 0.98 },
      detail: `${row.storedPerSecond.toFixed(0)} of ${due.toFixed(0)} a second`,
    },
    {
      name: `${name}: p99 of lateness`,
      value: row.late.p99,
      unit: 'ms',
      bar: { maxValue: 250 },
      detail: `at most ${row.late.max.toFixed(0)} ms`,
    },
    longestTurn(row),
  ];
  bars.push({
    name: `${name}: monitors checked within an interval after a restart`,
    value: row.caughtUp,
    unit: '',
    // A check that is due at the end of the interval may arrive a moment later.
    bar: { minValue: 0.98 },
    detail: 'stopped by SIGTERM, and started again at once',
  });
  const beyond = row.checkMicros - row.bareMicros + (row.databaseMicros ?? 0);
  const maxMicros = load.database === 'postgres' ? 400 : due >= 2000 ? 60 : due >= 250 ? 150 : 400;
  bars.push({
    name: `${name}: CPU of a check beyond a bare request`,
    value: beyond,
    unit: 'µs',
    bar: { maxValue: maxMicros },
    detail: `${row.checkMicros.toFixed(0)} µs, database ${row.databaseMicros?.toFixed(0) ?? '-'} µs, bare request ${row.bareMicros.toFixed(0)} µs`,
  });
  if (load.database === 'sqlite' && row.writtenBytes !== null)
    bars.push({
      name: `${name}: written to the disk for a check`,
      value: row.writtenBytes,
      unit: 'bytes',
      bar: { maxValue: due >= 500 ? 500 : 2048 },
      detail: 'counted by the system',
    });
  if (load.database === 'sqlite' && load.monitors <= 5000)
    bars.push({
      name: `${name}: memory of the daemon`,
      value: row.rssBytes / 1e6,
      unit: 'MB RSS',
      bar: { maxValue: 160 },
      detail: `${(row.heapUsedBytes / 1e6).toFixed(0)} MB of heap, ${(row.externalBytes / 1e6).toFixed(0)} MB outside of it`,
    });
  return bars;
}
