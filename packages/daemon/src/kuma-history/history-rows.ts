import { bucketOf } from '../core/response-histogram.ts';
import type { Horizons } from '../recording/forget-past.ts';
import { resultCode } from '../store/result-code.ts';
import { countsOf } from '../store/result-counts.ts';
import type { CheckHourTable, ObservedTable, ResultTable, StatusChangeTable } from '../store/tables.ts';
import { failureOf, statusCodeIn } from './failure-of.ts';
import type { Beat } from './kuma-file.ts';
import type { HistoryDay, Spent } from './read-history.ts';

/** A day of the history with all its single checks. */
export interface WholeDay extends HistoryDay {
  beats: readonly Beat[];
}

/** The monitor that gets the history. */
export interface HistoryTarget {
  seq: number;
  /** The number of the region that the imported checks are stored for. */
  region: number;
}

/** Returns the rows to store for some days, without data that is already past its retention. */
export function rowsOf(target: HistoryTarget, days: readonly WholeDay[], horizons: Horizons) {
  const { seq: monitor, region } = target;
  const beats = days.flatMap((day) => day.beats).filter(({ status }) => status !== 'maintenance');
  const counted = countsOf(beats.map((beat) => resultOf(target, beat)));
  const hours = days.flatMap((day) =>
    [...day.hours].map(([hour, { up, down, ping }]): CheckHourTable => {
      const tenths = Math.round(up * ping * 10);
      return { monitor, hour, region, checks: up + down, failed: down, tenths_sum: tenths };
    }),
  );
  // The histogram of response times counts each passed check. Uptime Kuma stored only the average of an hour, so all
  // passed checks of the hour get the average.
  const buckets = days.flatMap((day) =>
    [...day.hours].flatMap(([hour, { up, ping }]) =>
      up === 0
        ? []
        : [{ monitor, hour, bucket: bucketOf(ping * 10), count: up, tenths_sum: Math.round(up * ping * 10) }],
    ),
  );
  const spent = (of: 'spentByHour' | 'spentByDay', first: number) =>
    [...merged(days.map((day) => day[of]))]
      .filter(([period, { up, down, maintenance }]) => period >= first && up + down + maintenance > 0)
      .map(([period, { up, down, maintenance }]): ObservedTable => {
        return { monitor, period, up_ms: up, down_ms: down, maintenance_ms: maintenance };
      });
  return {
    hours: [...counted.hours, ...hours].filter(({ hour, checks }) => hour >= horizons.checkHours && checks > 0),
    buckets: [...counted.buckets, ...buckets].filter(({ hour }) => hour >= horizons.histogram),
    spentByHour: spent('spentByHour', horizons.hours),
    spentByDay: spent('spentByDay', horizons.days),
    changes: days.flatMap((day) => day.changes.map((change) => changeOf(monitor, change))),
  };
}

/**
 * Merges the maps of several days: for each hour, or for each day, adds up the time in each status. The map of one day
 * may include time of the next day, because the status of a check before midnight lasts until the next check.
 */
function merged(all: readonly ReadonlyMap<number, Spent>[]): Map<number, Spent> {
  const sums = new Map<number, Spent>();
  for (const [period, { up, down, maintenance }] of all.flatMap((one) => [...one])) {
    const known = sums.get(period) ?? { up: 0, down: 0, maintenance: 0 };
    sums.set(period, { up: known.up + up, down: known.down + down, maintenance: known.maintenance + maintenance });
  }
  return sums;
}

export function resultOf({ seq, region }: HistoryTarget, { at, status, ping, message }: Beat): ResultTable {
  const error = status === 'up' ? null : failureOf(message).code;
  const tenths = status === 'up' && ping !== null ? Math.round(ping * 10) : null;
  return { monitor: seq, at, region, code: resultCode(error, statusCodeIn(message)), tenths };
}

export function detailOf({ seq, region }: HistoryTarget, { at, status, message }: Beat) {
  if (status === 'up') return [];
  return [{ monitor: seq, at, region, error_message: failureOf(message).message, timings: null }];
}

export type NewChange = Omit<StatusChangeTable, 'id'>;

function changeOf(monitor: number, { at, from, to, message }: HistoryDay['changes'][number]): NewChange {
  const error = to === 'down' ? failureOf(message) : null;
  return {
    monitor,
    at,
    from_status: from ?? 'pending',
    to_status: to,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
  };
}
