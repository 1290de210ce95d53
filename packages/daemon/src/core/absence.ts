/**
 * The latest time at which a daemon showed that it runs. Each daemon writes such a sign of life to the database every
 * second. `aliveAt` is in epoch milliseconds.
 */
export interface SignOfLife {
  region: number;
  aliveAt: number;
}

/** A time in which no daemon received reports, or no daemon checked (see `NotedAbsences`). */
export interface Absence {
  from: number;
  to: number;
}

/**
 * Absences for each kind of work: receiving (the API takes pings, and results of probes) and checking. Both lists are
 * in the order of time.
 */
export interface NotedAbsences {
  readonly receiving: readonly Absence[];
  readonly checking: readonly Absence[];
}

/** The latest absences of all daemons. */
export interface Absences extends NotedAbsences {
  /**
   * The regions that daemons check from. If the last daemon of a region has stopped, the region stays in this set until
   * a probe takes the region over. Probes report from all other regions.
   */
  readonly daemonRegions: ReadonlySet<number>;
}

export const noAbsences: Absences = { receiving: [], checking: [], daemonRegions: new Set() };

/**
 * Divides the absences by their effect on a region. `own`: those in which no results of this region could arrive. These
 * are the absences of checking if daemons check from the region, and otherwise those of receiving. `other`: the rest.
 */
export const absencesOf = ({ receiving, checking, daemonRegions }: Absences, region: number) =>
  daemonRegions.has(region) ? { own: checking, other: receiving } : { own: receiving, other: checking };

/** Maximum number of absences that are remembered. */
const maxAbsences = 20;
/** After an absence, probes may need this long to connect again (see link-backoff.ts). */
const reconnectMs = 15_000;

/**
 * A daemon counts as serving while its last sign of life is younger than this. The next sign follows after one second,
 * but may be late.
 */
export const servingMs = 3000;
/**
 * A daemon that has left no sign of life for this time, for example after a crash, no longer counts as checking from
 * its region. A probe of that region may then check instead.
 */
export const goneAfterMs = 60_000;

/**
 * Returns since when no daemon has served. This daemon was absent from `from` to `to`. The returned time is the latest
 * sign of life of any other daemon, or `from` if that sign is older. Returns null if another daemon serves at `to`. The
 * signs were read at `readAt`. A sign more than `servingMs` after `readAt` comes from a wrong clock, and is ignored.
 */
export function unservedSince(
  { from, to, readAt }: { from: number; to: number; readAt: number },
  others: readonly Pick<SignOfLife, 'aliveAt'>[],
): number | null {
  const times = others.map(({ aliveAt }) => aliveAt).filter((at) => at <= readAt + servingMs);
  return times.some((at) => at > to - servingMs) ? null : Math.max(from, ...times);
}

/**
 * Returns absences in the order of time. Joins absences if probes had no time to connect again between them. If more
 * than `maxAbsences` are left, the oldest become one absence. It ends when the last of them ended. Its length is the
 * sum of their lengths, plus `reconnectMs` for each gap between two of them.
 */
export function joinAbsences(absences: readonly Absence[]): Absence[] {
  const joined: Absence[] = [];
  for (const { from, to } of absences.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to + reconnectMs) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  if (joined.length <= maxAbsences) return joined;
  const [oldest, rest] = [joined.slice(0, 1 - maxAbsences), joined.slice(1 - maxAbsences)];
  const lengthMs = oldest.reduce((sum, { from, to }) => sum + to - from + reconnectMs, -reconnectMs);
  const { to } = oldest.at(-1)!;
  return [{ from: to - lengthMs, to }, ...rest];
}

/**
 * Returns the part of the time from `since` to `now` in which reports could arrive, in milliseconds. Absences do not
 * count, nor does the time that probes need after an absence to connect again. The absences are in the order of time.
 */
export function observedMs(since: number, now: number, absences: readonly Absence[]): number {
  let observed = now - since;
  let until = now;
  for (let place = absences.length - 1; place >= 0; place--) {
    const { from, to } = absences[place]!;
    const end = Math.min(to + reconnectMs, until);
    if (end <= since) break;
    observed -= Math.max(0, end - Math.max(from, since));
    until = Math.min(until, from);
  }
  return observed;
}

/** The reverse of `observedMs`: returns the first time `now` for which `observedMs` returns `ms`. */
export function observedUntil(since: number, ms: number, absences: readonly Absence[]): number {
  let [from, left] = [since, ms];
  for (const absence of absences) {
    const end = absence.to + reconnectMs;
    if (end <= from) continue;
    const before = Math.max(0, absence.from - from);
    if (before >= left) break;
    [from, left] = [end, left - before];
  }
  return from + left;
}

/** Joins the absences of each kind. */
export const joinEach = (all: readonly NotedAbsences[]): NotedAbsences => ({
  receiving: joinAbsences(all.flatMap(({ receiving }) => receiving)),
  checking: joinAbsences(all.flatMap(({ checking }) => checking)),
});

/** Whether a time is in an absence, or so soon after it that reports may still be missing. */
export const isInAbsence = (at: number, absences: readonly Absence[]): boolean =>
  absences.some(({ from, to }) => from <= at && at <= to + reconnectMs);

/** Moves absences by a step of the clock, in milliseconds. */
export function shiftAbsences<T extends NotedAbsences>(absences: T, byMs: number): T {
  if (byMs === 0) return absences;
  const shift = (list: readonly Absence[]) => list.map(({ from, to }) => ({ from: from + byMs, to: to + byMs }));
  return { ...absences, receiving: shift(absences.receiving), checking: shift(absences.checking) };
}
