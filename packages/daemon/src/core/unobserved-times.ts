import { oldestAcceptedMs } from './late-results.ts';

/** A time, in epoch milliseconds. */
export interface TimeSpan {
  from: number;
  until: number;
}

/** If a monitor has more unobserved times than this, the oldest are dropped. They then stay unobserved. */
const mostTimes = 50;

/** Adds a time to the unobserved times of a monitor, which are in order. Drops those that no result can cover any more. */
export function addUnobserved(times: readonly TimeSpan[], { from, until }: TimeSpan): TimeSpan[] {
  if (from >= until) return [...times];
  const recent = times.filter((time) => time.until > until - oldestAcceptedMs);
  const last = recent.at(-1);
  if (last?.until === from) return [...recent.slice(0, -1), { from: last.from, until }];
  return [...recent, { from, until }].toSorted((one, other) => one.from - other.from).slice(-mostTimes);
}

/** Divides the unobserved times of a monitor into those that this time covers, and the rest. */
export function coverUnobserved(
  times: readonly TimeSpan[],
  { from, until }: TimeSpan,
): { covered: TimeSpan[]; rest: readonly TimeSpan[] } {
  if (from >= until) return { covered: [], rest: times };
  const covered = times.map((time) => ({ from: Math.max(time.from, from), until: Math.min(time.until, until) }));
  const rest = times.flatMap((time) => [
    { from: time.from, until: Math.min(time.until, from) },
    { from: Math.max(time.from, until), until: time.until },
  ]);
  const isTime = (time: TimeSpan) => time.from < time.until;
  return { covered: covered.filter(isTime), rest: rest.filter(isTime) };
}
