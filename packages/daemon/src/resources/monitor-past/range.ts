import { faultAt } from '@uptime/sdk/contract';
import { dayMs } from '../../core/uptime.ts';
import { invalid } from '../../errors.ts';

/** A span of whole UTC days. `from` is its first millisecond, and `until` is the first millisecond after it. */
export interface DayRange {
  from: number;
  until: number;
}

/**
 * Returns the days that a query asks for, from the date `from` to the date `to`, both inclusive. By default these are
 * the last `days` days. Throws `invalid_request` if the range is empty.
 */
export function dayRange(
  query: { from?: string | undefined; to?: string | undefined },
  days: number,
  now: number,
): DayRange {
  const lastDay = query.to === undefined ? Math.floor(now / dayMs) * dayMs : Date.parse(`${query.to}T00:00:00Z`);
  const from = query.from === undefined ? lastDay - (days - 1) * dayMs : Date.parse(`${query.from}T00:00:00Z`);
  if (from > lastDay) throw invalid([faultAt('from', 'not_before', { field: 'to' })]);
  return { from, until: lastDay + dayMs };
}

/** Returns the time of a list's item in epoch milliseconds. */
export const timeOf = (item: { timestamp: string }): number => Date.parse(item.timestamp);

export const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
