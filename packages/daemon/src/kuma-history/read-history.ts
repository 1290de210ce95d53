import { dayMs, hourMs, splitByPeriod } from '../core/uptime.ts';
import type { Beat, KumaCounts, KumaFile, KumaMonitor, Span } from './kuma-file.ts';

/**
 * Milliseconds that a monitor was up, down and in maintenance. The tables `observed_hour` and `observed_day` store
 * them.
 */
export interface Spent {
  up: number;
  down: number;
  maintenance: number;
}

/** A part of the history of a monitor. A day with many checks takes several parts. */
export interface HistoryPiece {
  /** Single checks. After an interrupted import, the next import may read them again. */
  beats: Beat[];
  /**
   * The data of a day if this is the last part of that day; otherwise null. With this part, the history is complete up
   * to the day's `until`.
   */
  day: HistoryDay | null;
}

export interface HistoryDay {
  until: number;
  /** Counts of checks, for the hours whose single checks Uptime Kuma has deleted. */
  hours: ReadonlyMap<number, KumaCounts>;
  spentByHour: ReadonlyMap<number, Spent>;
  spentByDay: ReadonlyMap<number, Spent>;
  changes: { at: number; from: 'up' | 'down' | null; to: 'up' | 'down'; message: string }[];
}

const beatsOfPiece = 1000;
/**
 * A check may take this long. So the history has a gap between two checks only if they are more than two intervals plus
 * this time apart.
 */
const slackMs = 60_000;

/** The span of a monitor's history in the file, and where its single checks begin. */
export interface HistoryExtent extends Span {
  /**
   * The file has all single checks from this time on. For the time before, version 2 has only counts and the checks
   * that changed the status.
   */
  beatsFrom: number;
}

/** Returns where the history of a monitor begins and ends; null if there is none. */
export function extentOf(file: KumaFile, { id, intervalMs }: KumaMonitor): HistoryExtent | null {
  const edges = file.edges(id);
  const [hours, days] = [[...file.hours(id).keys()], [...file.days(id).keys()]];
  const starts = [...hours.map((hour) => hour * hourMs), ...days.map((day) => day * dayMs)];
  const ends = [...hours.map((hour) => (hour + 1) * hourMs), ...days.map((day) => (day + 1) * dayMs)];
  if (edges === null && starts.length === 0) return null;
  const from = starts.reduce((earliest, at) => Math.min(earliest, at), edges?.from ?? Infinity);
  // If there are only counts, the history ends with the last counted hour or day, because counts do not say when the
  // last check ran.
  const until = edges ? edges.until + intervalMs : ends.reduce((latest, at) => Math.max(latest, at), 0);
  const latestDay = Math.ceil((until - dayMs) / hourMs) * hourMs;
  return { from, until, beatsFrom: starts.length === 0 ? 0 : latestDay };
}

/** Reads the history of a span in order of time. */
export function* readHistory(
  file: KumaFile,
  { id, intervalMs }: KumaMonitor,
  { from, until, beatsFrom }: HistoryExtent,
): Generator<HistoryPiece> {
  const [hours, days] = [file.hours(id), file.days(id)];
  const isWhole = (period: number, sizeMs: number) => period * sizeMs >= from && (period + 1) * sizeMs <= until;
  const beats = withNext(file.beats(id, { from: Math.max(from, beatsFrom), until }, false));
  const important = withNext(file.beats(id, { from, until }, true));
  let status = file.statusBefore(id, from);
  for (let day = Math.floor(from / dayMs); day * dayMs < until; day++) {
    const end = Math.min((day + 1) * dayMs, until);
    const [spentByHour, spentByDay] = [new Map<number, Spent>(), new Map<number, Spent>()];
    const isCounted = (other: number) => days.has(other) && isWhole(other, dayMs);
    const spend = (hour: number, spent: Spent) => {
      add(spentByHour, hour, spent);
      const ofHour = Math.floor((hour * hourMs) / dayMs);
      if (!isCounted(ofHour)) add(spentByDay, ofHour, spent);
    };
    let piece: Beat[] = [];
    for (let beat = beats.take(end); beat; beat = beats.take(end)) {
      piece.push(beat);
      for (const [hour, ms] of splitByPeriod(beat.at, coveredUntil(beat, beats.nextAt(), intervalMs, until), hourMs))
        spend(hour, spentIn(beat, ms));
      if (piece.length < beatsOfPiece) continue;
      yield { beats: piece, day: null };
      piece = [];
    }
    const counted = new Map<number, KumaCounts>();
    for (let hour = (day * dayMs) / hourMs; hour * hourMs < end; hour++) {
      const counts = hours.get(hour);
      if (!counts || !isWhole(hour, hourMs) || hour * hourMs >= beatsFrom) continue;
      counted.set(hour, counts);
      spend(hour, spentOf(counts, hourMs, intervalMs));
    }
    if (isCounted(day)) add(spentByDay, day, spentOf(days.get(day)!, dayMs, intervalMs));
    const changes: HistoryDay['changes'] = [];
    for (let beat = important.take(end); beat; beat = important.take(end)) {
      const to = beat.status;
      if ((to !== 'up' && to !== 'down') || to === status) continue;
      changes.push({ at: beat.at, from: status, to, message: beat.message });
      status = to;
    }
    yield { beats: piece, day: { until: end, hours: counted, spentByHour, spentByDay, changes } };
  }
}

/**
 * Returns two functions. `take` removes and returns the next check if it is before a given time. `nextAt` returns the
 * time of the next check.
 */
function withNext(beats: Iterable<Beat>) {
  const iterator = beats[Symbol.iterator]();
  let next = iterator.next();
  return {
    take(until: number): Beat | null {
      if (next.done || next.value.at >= until) return null;
      const { value } = next;
      next = iterator.next();
      return value;
    },
    nextAt: (): number => (next.done ? Infinity : next.value.at),
  };
}

/**
 * Returns until when the status of a check lasts: usually until the next check. If there is a gap before the next
 * check, Uptime Kuma did not run in the gap, and the status lasts for only one interval.
 */
function coveredUntil({ at }: Beat, nextAt: number, intervalMs: number, until: number): number {
  const isGap = nextAt - at > 2 * intervalMs + slackMs;
  return Math.min(isGap ? at + intervalMs : nextAt, until);
}

/**
 * Returns `ms` as time spent in the status of a check. `pending` (a failed check that is retried) counts as down, as in
 * the uptime that Uptime Kuma shows.
 */
const spentIn = ({ status }: Beat, ms: number): Spent => ({
  up: status === 'up' ? ms : 0,
  down: status === 'down' || status === 'pending' ? ms : 0,
  maintenance: status === 'maintenance' ? ms : 0,
});

/**
 * Computes the time spent up, down and in maintenance from counts: each counted check stands for one interval of the
 * monitor.
 */
function spentOf({ up, down, maintenance }: KumaCounts, sizeMs: number, intervalMs: number): Spent {
  const checks = up + down + maintenance;
  const share = checks === 0 ? 0 : Math.min(sizeMs, checks * intervalMs) / checks;
  return {
    up: Math.round(up * share),
    down: Math.round(down * share),
    maintenance: Math.round(maintenance * share),
  };
}

function add(all: Map<number, Spent>, period: number, { up, down, maintenance }: Spent): void {
  const known = all.get(period);
  all.set(period, {
    up: up + (known?.up ?? 0),
    down: down + (known?.down ?? 0),
    maintenance: maintenance + (known?.maintenance ?? 0),
  });
}
