import { oldestAcceptedMs } from './late-results.ts';

/** A span of time, in epoch milliseconds. */
export interface TimeSpan {
  from: number;
  until: number;
}

/**
 * A time for which a monitor's status is unknown, because no region reported about the monitor then. Late results may
 * still decide the status.
 */
export interface UnobservedTime extends TimeSpan {
  /** The regions whose late results show that the monitor was up in this time. Absent if no region showed that. */
  passed?: readonly number[];
  /** The regions whose late results show that the monitor was down. */
  failed?: readonly number[];
}

/** A time for which the late results of one region show the status of a monitor. */
export interface ShownTime extends TimeSpan {
  region: number;
  failed: boolean;
}

/** If a monitor has more unobserved times than this, the oldest times are dropped. Their status stays unknown. */
const maxTimes = 200;

/** Adds a time to the ordered unobserved times of a monitor. Drops times that no result can cover any more. */
export function addUnobserved(times: readonly UnobservedTime[], { from, until }: TimeSpan): readonly UnobservedTime[] {
  if (from >= until) return times;
  const recent = times.filter((time) => time.until > until - oldestAcceptedMs || votesOf(time).length > 0);
  return joined([...recent, { from, until }].toSorted((one, other) => one.from - other.from)).slice(-maxTimes);
}

/**
 * Splits the unobserved times of a monitor. `covered` has the parts within `span` that have no noted late result.
 * `rest` has all other parts.
 */
export function coverUnobserved(
  times: readonly UnobservedTime[],
  span: TimeSpan,
): { covered: UnobservedTime[]; rest: readonly UnobservedTime[] } {
  const isCovered = (time: UnobservedTime) => overlaps(time, span) && votesOf(time).length === 0;
  if (!times.some(isCovered)) return { covered: [], rest: times };
  const parts = splitAt(times, span);
  return { covered: parts.filter(isCovered), rest: joined(parts.filter((time) => !isCovered(time))).slice(-maxTimes) };
}

/** Returns the unobserved times before `at`. */
export const unobservedBefore = (times: readonly UnobservedTime[], at: number): UnobservedTime[] =>
  times.filter(({ from }) => from < at).map((time) => ({ ...time, until: Math.min(time.until, at) }));

/**
 * Notes which status the late results of a region show. If the notes would split the times into more than `maxTimes`
 * parts, nothing is noted, because the oldest parts would be dropped. So one region cannot remove times about which
 * other regions may still report.
 */
export function noteShown(times: readonly UnobservedTime[], shown: ShownTime): readonly UnobservedTime[] {
  if (!times.some((time) => overlaps(time, shown))) return times;
  const noted = splitAt(times, shown).map((time) => {
    if (!overlaps(time, shown) || votesOf(time).includes(shown.region)) return time;
    const { passed = [], failed = [] } = time;
    return shown.failed
      ? { ...time, failed: [...failed, shown.region].toSorted(byNumber) }
      : { ...time, passed: [...passed, shown.region].toSorted(byNumber) };
  });
  const all = joined(noted);
  return all.length > maxTimes ? times : all;
}

/**
 * Decides the status in unobserved times by the majority of the regions. `missing` returns the regions that may still
 * send late results about a time. A time stays unobserved while these regions could change the majority.
 */
export function decideUnobserved(
  times: readonly UnobservedTime[],
  missing: (time: UnobservedTime) => readonly number[],
): { decided: (TimeSpan & { status: 'up' | 'down' })[]; rest: readonly UnobservedTime[] } {
  const statusOf = (time: UnobservedTime): 'up' | 'down' | null => {
    const { passed = [], failed = [] } = time;
    const known = votesOf(time);
    const total = new Set([...known, ...missing(time)]).size;
    if (failed.length * 2 > total) return 'down';
    return known.length > 0 && passed.length * 2 >= total ? 'up' : null;
  };
  const statuses = new Map(times.map((time) => [time, statusOf(time)]));
  const decided = times.flatMap((time) => {
    const status = statuses.get(time);
    return status ? [{ from: time.from, until: time.until, status }] : [];
  });
  return { decided, rest: decided.length === 0 ? times : times.filter((time) => statuses.get(time) === null) };
}

const overlaps = (one: TimeSpan, other: TimeSpan): boolean =>
  Math.max(one.from, other.from) < Math.min(one.until, other.until);
const votesOf = ({ passed = [], failed = [] }: UnobservedTime): number[] => [...passed, ...failed];
const byNumber = (one: number, other: number): number => one - other;

/** Splits the times where `span` begins and ends. */
const splitAt = (times: readonly UnobservedTime[], span: TimeSpan): UnobservedTime[] =>
  times.flatMap((time) => {
    const within = [span.from, span.until].filter((at) => at > time.from && at < time.until);
    const bounds = [time.from, ...new Set(within), time.until];
    return bounds.slice(1).map((until, place) => ({ ...time, from: bounds[place]!, until }));
  });

/** Joins times that touch and have the same late results. */
function joined(times: readonly UnobservedTime[]): UnobservedTime[] {
  const kept: UnobservedTime[] = [];
  for (const time of times) {
    const last = kept.at(-1);
    const isSame = last?.until === time.from && textOf(last) === textOf(time);
    if (isSame) kept[kept.length - 1] = { ...last, until: time.until };
    else kept.push(time);
  }
  return kept;
}

const textOf = ({ passed = [], failed = [] }: UnobservedTime): string => JSON.stringify([passed, failed]);
